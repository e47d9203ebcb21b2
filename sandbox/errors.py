"""What can go wrong with jails, none of it the fault of a program under test.

SandboxError
├── SandboxUnavailableError   this machine cannot start a jail, or not now
├── JailDiedError             a jail ended or fell silent under a submission
└── StarvedError              the machine did not let a program run

Beside them stands InterruptionError: nothing went wrong, somebody wanted no more.
"""

from __future__ import annotations


class SandboxError(Exception):
    """Anything that went wrong on our side of the wall."""


class SandboxUnavailableError(SandboxError):
    """No jail could be started; the message says what is missing and what to do."""


class JailDiedError(SandboxError):
    """The jail, or the session in it, ended or fell silent before it had answered.

    Attributes:
        out_of_memory: Whether the kernel killed it because the program took more memory than the jail may have.
    """

    def __init__(self, message: str, *, out_of_memory: bool = False) -> None:
        super().__init__(message)
        self.out_of_memory = out_of_memory


class StarvedError(SandboxError):
    """The machine did not let the program run: nobody's mark, to be tried again."""


class InterruptionError(Exception):
    """What ran is not wanted any more, said whoever borrowed the slot; its jails are as good as before."""
