"""`python -m powerduels` is `powerduels`."""

import sys

from powerduels.cli import main

sys.exit(main())
