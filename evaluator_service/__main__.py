"""``python -m evaluator_service``: the same as ``microcoder serve``."""

import sys

from evaluator_service.cli import serve

if __name__ == "__main__":
    sys.exit(serve())
