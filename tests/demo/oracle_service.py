"""A real service whose judge knows the expected verdicts by heart; arguments name rollouts it gets wrong."""

import sys

from evaluator_service.environment import load_settings
from evaluator_service.fault import fault_judgement
from evaluator_service.outputs import Outputs, OutputStore
from evaluator_service.prepare import Prepared
from evaluator_service.samples import load_samples
from evaluator_service.schema import JudgeFault, Judgement
from evaluator_service.server import serve
from evaluator_service.settings import Settings
from evaluator_service.verdicts import Verdict
from evaluator_service.work import Work
from sandbox.languages import LANGUAGES
from sandbox.toolchains import Found, Toolchain


class OracleJudge:
    """Answers what the rollout with the submission's id expects, except for ``mistaken`` ones."""

    def __init__(self, settings: Settings, mistaken: list[str]) -> None:
        self._settings = settings
        self._mistaken = mistaken
        self._verdicts = {r.name: r.expected[0] for s in load_samples() for r in s.rollouts}

        self.outputs: Outputs = OutputStore(0)

    def tests_of(self, *_: object) -> list[Prepared]:
        """It knows verdicts alone."""
        raise NotImplementedError

    def start(self) -> None:
        """Nothing to warm."""

    def languages(self) -> Found:
        """All that there are: it runs nothing."""
        return Found({name: Toolchain(language, "-", {}) for name, language in LANGUAGES.items()})

    def judge(self, work: Work) -> Judgement:
        """Look the verdict up."""
        name = work.submission.id or ""
        is_mistaken = name in self._mistaken
        verdict = Verdict.JUDGE_ERROR if is_mistaken else self._verdicts[name]
        reward = None if is_mistaken else float(verdict is Verdict.ACCEPTED)
        fault = JudgeFault(kind="internal", message="[red]a\u2028mistake[/]", retryable=True)
        judgement = fault_judgement(work, self._settings, fault)
        return judgement.model_copy(
            update={"verdict": verdict, "reward": reward, "error": fault if is_mistaken else None}
        )

    def condemned(self, work: Work) -> Judgement:
        """As if it had not broken anything."""
        return self.judge(work)

    def obstacle(self) -> str | None:
        """None, ever."""
        return None

    def figures(self) -> None:
        """It has no jails."""

    def close(self) -> None:
        """Nothing to end."""


if __name__ == "__main__":
    loaded = load_settings()
    sys.exit(serve(loaded, OracleJudge(loaded, sys.argv[1:])))
