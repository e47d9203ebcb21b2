"""Why work is not taken, or not gone on with: what executors raise."""


class QueueFull(Exception):
    """No room for this much work now; try again after ``retry_after_seconds``."""

    def __init__(self, retry_after_seconds: int) -> None:
        super().__init__(f"the queue is full; try again in {retry_after_seconds} s")
        self.retry_after_seconds = retry_after_seconds


class QuotaFull(Exception):
    """The client has as much unanswered as it may; try again after ``retry_after_seconds``."""

    def __init__(self, quota: int, retry_after_seconds: int) -> None:
        super().__init__(
            f"at most {quota} submissions of this key may be unanswered at a time; "
            f"try again in {retry_after_seconds} s"
        )
        self.retry_after_seconds = retry_after_seconds


class BatchTooLarge(Exception):
    """More submissions at once than are ever taken."""


class LanguageMissing(Exception):
    """A submission, or its problem, needs a language that is not here."""

    def __init__(self, where: tuple[int | str, ...], why: str) -> None:
        super().__init__(why)
        self.where = where


class KeyReused(Exception):
    """A submission has the idempotency key of another one that it does not equal."""

    def __init__(self, where: tuple[int | str, ...]) -> None:
        super().__init__("another submission was sent with this key")
        self.where = where


class ShuttingDown(Exception):
    """The service is going down and takes no new work."""


class WithdrawnError(Exception):
    """Nobody waits for this work any more; raised by a judge that noticed."""


class EngineDownError(Exception):
    """The queue, or what judges from it, cannot be reached; the message says what is wrong."""
