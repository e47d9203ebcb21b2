"""The judge: one submission from arrival to Judgement. Read from top to bottom, it is the product.

Extract the program; borrow a slot; compile and run it there, test by test (``running``); compare outside
the jail (``marking``); fold verdicts into one and give the reward (``answer``). A jail that dies is
replaced and its submission tried once more. Whoever breaks two jails, while a program known to be good
gets through, has crashed: a runtime error, not an excuse. Nothing is judged in jails that have not passed
the self-check.
"""

import time
from contextlib import closing

import structlog

from evaluator_service import asserts, running
from evaluator_service.answer import answer, in_declared_order
from evaluator_service.audit import audit_log_of
from evaluator_service.boundaries import note
from evaluator_service.case import Case, Trial, open_case
from evaluator_service.extraction import Extracted, program_of
from evaluator_service.likely_failures import LikelyFailures
from evaluator_service.logs import outline
from evaluator_service.outputs import Outputs, OutputStore
from evaluator_service.prepare import (
    BadProblemError,
    Prepared,
    PreparedProblems,
    prepare,
)
from evaluator_service.refusals import WithdrawnError
from evaluator_service.schema import AnyProblem, AssertsProblem, JudgeFault, Judgement, TestResult
from evaluator_service.settings import Settings
from evaluator_service.verdicts import Verdict
from evaluator_service.work import Work
from sandbox.canary import passes_canary
from sandbox.errors import (
    InterruptionError,
    JailDiedError,
    SandboxError,
    SandboxUnavailableError,
    StarvedError,
)
from sandbox.figures import PoolFigures
from sandbox.pool import Pool
from sandbox.slot import Slot
from sandbox.toolchains import Found, ToolchainMissingError

log = structlog.get_logger(__name__)

_NO_CODE = "no program was found in the completion"


class Judge:
    """Judges submissions, blocking, from as many threads as there are slots."""

    def __init__(self, settings: Settings, outputs: Outputs | None = None) -> None:
        """Starts nothing yet; keeps ``outputs`` in memory unless told where."""
        self._settings = settings
        self.outputs = outputs or OutputStore(settings.max_outputs_bytes)
        self._pool = pool_of(settings, settings.slots_count)
        self._prepared = PreparedProblems(settings.max_problems_bytes)
        self._likely_failures = LikelyFailures()
        self._audit = audit_log_of(settings)

    def start(self) -> None:
        """Start the first jail; the others warm up while this one works.

        Raises:
            SandboxUnavailableError: If this machine cannot isolate; the message says why.
        """
        self._pool.start()

    def close(self) -> None:
        """Kill all jails."""
        self._pool.close()

    def languages(self) -> Found:
        """The languages that programs may be written in, and why others may not; known once it is started."""
        return self._pool.languages

    def obstacle(self) -> str | None:
        """Why work would get no mark now: jails are not there yet, or do not hold what they should."""
        return self._pool.obstacle()

    def figures(self) -> PoolFigures:
        """How slots and jails stand."""
        return self._pool.figures()

    def tests_of(self, problem: AnyProblem, problem_id: str) -> list[Prepared]:
        """The tests of a problem, to compare recorded outputs with; test code is read in a jail.

        Raises:
            BadProblemError: If the problem cannot be judged, whatever the program.
            SandboxError: If no jail can read it now.
        """
        # apart from those that were made for running: a prelude is not tried here
        return self._prepared.get(f"{problem_id} read", lambda: self._read(problem))

    def _read(self, problem: AnyProblem) -> list[Prepared]:
        if not isinstance(problem, AssertsProblem):
            return prepare(problem)
        with self._pool.borrow() as slot:
            return asserts.lower(slot, problem)

    def judge(self, work: Work) -> Judgement:
        """Judge one submission.

        Raises:
            WithdrawnError: If nobody waits for it any more.
        """
        extracted = program_of(work.submission)
        likely_failure = self._likely_failures.likeliest(work.problem_id)
        speed = self._pool.speed()
        case = open_case(self._settings, work, extracted, self.outputs, speed, likely_failure)
        return self.judge_case(case, extracted)

    def judge_case(self, case: Case, extracted: Extracted) -> Judgement:
        """Judge a submission of which everything is settled.

        Raises:
            WithdrawnError: If nobody waits for it any more.
        """
        outcome, queue_seconds = self._outcome(case, extracted)
        judgement = self._answer_to(outcome, case, extracted, queue_seconds)
        if self._audit is not None:
            ran = outcome.results if isinstance(outcome, Trial) else []
            results = in_declared_order(ran, judgement.total)
            self._audit.add(case, results, judgement, self._pool.languages)
        return judgement

    def _outcome(self, case: Case, extracted: Extracted) -> tuple[Trial | JudgeFault, float]:
        """What came of running a case in a slot, and how long it waited for one, in seconds."""
        work = case.work
        if extracted.code is None:
            return Trial(), 0.0
        try:
            with closing(work.withdrawn), self._pool.borrow(work.withdrawn) as slot:
                queue_seconds = time.monotonic() - work.arrived
                return self._run(slot, case), queue_seconds
        except InterruptionError:
            raise WithdrawnError from None
        except SandboxUnavailableError as error:
            # nothing is lent: jails do not hold what they should
            return _sandbox_fault(error), time.monotonic() - work.arrived

    def condemned(self, work: Work) -> Judgement:
        """The judgement of a submission that broke whoever judged it, if a program known to be good gets through."""
        extracted = program_of(work.submission)
        case = open_case(self._settings, work, extracted, self.outputs, self._pool.speed())
        queue_seconds = time.monotonic() - work.arrived
        try:
            with self._pool.borrow() as slot:
                gets_through = passes_canary(slot)
        except SandboxUnavailableError as error:
            return self._answer_to(_sandbox_fault(error), case, extracted, queue_seconds)
        message = "two workers died at it, and a program known to be good does not get through here either"
        fault = JudgeFault(kind="sandbox", message=message, retryable=True)
        outcome = _broke("two workers that judged it") if gets_through else fault
        return self._answer_to(outcome, case, extracted, queue_seconds)

    def _answer_to(
        self, outcome: Trial | JudgeFault, case: Case, extracted: Extracted, queue_seconds: float
    ) -> Judgement:
        if isinstance(outcome, JudgeFault):
            _log_fault(outcome)
            return self._answer(
                case, extracted, Trial(), queue_seconds, Verdict.JUDGE_ERROR, error=outcome
            )
        if extracted.code is None:
            return self._answer(case, extracted, outcome, queue_seconds, Verdict.NO_CODE, _NO_CODE)
        if outcome.compiled is not None and not outcome.compiled.ok:
            message = outcome.compiled.message
            return self._answer(
                case, extracted, outcome, queue_seconds, Verdict.COMPILE_ERROR, message
            )
        return self._answer(case, extracted, outcome, queue_seconds)

    def _run(self, slot: Slot, case: Case) -> Trial | JudgeFault:
        """Run the case; once more if the jail died or the machine starved it."""
        deaths: list[JailDiedError] = []
        for attempt in (1, 2):
            try:
                trial = running.run(slot, case, self._prepared)
                self._likely_failures.learn(case.work.problem_id, trial.results)
                return trial
            except BadProblemError as error:
                return JudgeFault(kind="bad_problem", message=str(error), retryable=False)
            except SandboxUnavailableError as error:
                return _sandbox_fault(error)
            except ToolchainMissingError as error:
                return JudgeFault(kind="language", message=str(error), retryable=False)
            except StarvedError as error:
                fault = JudgeFault(kind="overload", message=str(error), retryable=True)
                deaths.clear()
                log.warning("starved", attempt=attempt)
            except JailDiedError as error:
                fault = _sandbox_fault(error)
                deaths.append(error)
                log.warning("jail_died", attempt=attempt, message=str(error))
                slot.drop_dead()
        if len(deaths) == 2 and passes_canary(slot):
            return _broke("the jail it ran in, twice", deaths[-1])
        return fault

    def _answer(
        self,
        case: Case,
        extracted: Extracted,
        trial: Trial,
        queue_seconds: float,
        before_tests: Verdict | None = None,
        message: str | None = None,
        error: JudgeFault | None = None,
    ) -> Judgement:
        return answer(
            case,
            extracted,
            trial,
            level=self._pool.level,
            queue_seconds=queue_seconds,
            before_tests=before_tests,
            message=message,
            error=error,
        )


def pool_of(settings: Settings, slots_count: int) -> Pool:
    """Slots as the settings want them; starts nothing."""
    return Pool(
        slots_count,
        nsjail=settings.nsjail_path,
        state_directory=settings.state_directory,
        packages=settings.packages,
        toolchains=settings.toolchains,
        max_builds_bytes=settings.max_builds_bytes,
        machine_seconds_per_reference_second=settings.machine_seconds_per_reference_second,
    )


def _sandbox_fault(error: SandboxError) -> JudgeFault:
    note("sandbox")
    return JudgeFault(kind="sandbox", message=str(error), retryable=True)


def _log_fault(fault: JudgeFault) -> None:
    """Say what went wrong, but for a bad problem: those words quote its code, and are its author's to read."""
    if fault.kind == "bad_problem":
        log.warning("judge_error", kind=fault.kind, message=outline(fault.message))
    else:
        log.error("judge_error", kind=fault.kind, message=fault.message)


def _broke(what: str, death: JailDiedError | None = None) -> Trial:
    """Nobody escapes a bad mark by breaking the judge: no test counts as passed."""
    message, verdict = f"the program broke {what}", Verdict.RUNTIME_ERROR
    took_all_memory = death is not None and death.out_of_memory
    if took_all_memory:
        message, verdict = f"{message}: it took all its memory", Verdict.MEMORY_LIMIT_EXCEEDED
    broken = TestResult(index=0, verdict=verdict, message=message, near_limit=took_all_memory)
    return Trial(results=[broken])
