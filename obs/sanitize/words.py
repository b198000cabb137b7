"""Words of prose, which are neither a value behind `password:` nor the name of a table."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NO_SECRET: Final = _words("""
    a absent an and any are at bad be blank bool boolean by can cannot correct default denied does empty error expected expired expires failed failure
    false for found has hidden ignored in incorrect int invalid is it malformed masked may mismatch missing must need needed needs never no none not
    null number of off ok on only optional or please provided redacted refused rejected required revoked set should str string text the this to too
    true type undefined unknown unset unsupported used valid value was will with wrong yes
""")
"""Words that follow "password:" or "token=" in a sentence about it, and values that say there is none."""

NO_NAME: Final = _words("""
    a all already an and any are as at be been by can cannot caption cell cells column columns could data did do does each empty entry every exists
    field fields file files for format found from had has have header headers if in index invalid is it its legend level list may missing must name
    names no not number numbers of on one only or order page pages per row rows should size that the there these this those title to two type value
    values view was were when where which whose will with would
""")
"""Words that follow "table" or "column" in a sentence about one."""
