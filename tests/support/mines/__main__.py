"""`python -m tests.support.mines OUT --seed N --count M`."""

import argparse
from pathlib import Path

from tests.support.mines.truth import write_corpus

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("out", type=Path)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--count", type=int, default=24)
arguments = parser.parse_args()
write_corpus(arguments.out, arguments.seed, arguments.count)
