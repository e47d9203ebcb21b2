"""The judge: validates submissions, runs them in the sandbox, compares, and answers."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("microcoder")
except PackageNotFoundError:  # running from a source tree that was never installed
    __version__ = "0.0.0+source"

WIRE_VERSION = 1
"""Version of the format between API and workers; both refuse another one."""
