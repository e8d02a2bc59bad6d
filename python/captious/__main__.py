"""The command line, as "python -m captious"."""

import sys

from captious._node import main

if __name__ == "__main__":
    sys.exit(main())
