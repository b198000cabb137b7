"""A second author's airflow corpus: invented mines, their plans and reports, seeded mistakes, and the truth about them.

Nothing here shares code with the engine: needs are computed with exact fractions from the domain notes, documents are
written by writers of their own, and `python -m tests.support.corpus OUT_DIR --seed N --count M` lays down a folder that
the scorer of the fixtures reads.
"""
