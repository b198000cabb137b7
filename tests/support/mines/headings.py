"""Titles, numbering and the ways a month is written."""

from __future__ import annotations

from calendar import monthrange

NUMERALS = "一二三四五六七八九十"


def chapter(style: int, n: int, text: str) -> str:
    """The title of chapter n, from 1."""
    return (
        f"{NUMERALS[n - 1]}、{text}",
        f"第{NUMERALS[n - 1]}章 {text}",
        f"{n} {text}",
        f"第{NUMERALS[n - 1]}部分　{text}",
        f"{n}．{text}",
    )[style]


def section(style: int, n: int, m: int, text: str) -> str:
    """The title of section m of chapter n."""
    return (
        f"（{NUMERALS[m - 1]}）{text}",
        f"第{NUMERALS[m - 1]}节 {text}",
        f"{n}.{m} {text}",
        f"{NUMERALS[m - 1]}、{text}",
        f"{n}.{m}　{text}",
    )[style]


def item(style: int, n: int, m: int, i: int, text: str) -> str:
    """The title of the i-th place of a section."""
    return (
        f"{i}、{text}",
        f"{i}. {text}",
        f"{n}.{m}.{i} {text}",
        f"（{NUMERALS[(i - 1) % 10]}）{text}",
        f"{i}）{text}",
    )[style]


def digits(year: int) -> str:
    """2025 → 二〇二五."""
    return "".join("〇一二三四五六七八九"[int(d)] for d in str(year))


def month_text(style: int, year: int, month: int) -> str:
    """A whole month as a period."""
    last = monthrange(year, month)[1]
    name = NUMERALS[month - 1] if month <= 10 else "十" + NUMERALS[month - 11]
    return (
        f"{year}年{month}月1日至{year}年{month}月{last}日",
        f"{year}年{month}月1日～{month}月{last}日",
        f"{year}.{month:02d}.01—{year}.{month:02d}.{last}",
        f"{year}-{month:02d}-01至{year}-{month:02d}-{last}",
        f"{digits(year)}年{name}月份",
        f"{year}年{month}月份（1日—{last}日）",
        f"自{year}年{month}月1日零时起至{month}月{last}日24时止",
    )[style]


def window_text(style: int, year: int, month: int) -> tuple[str, tuple[int, int]]:
    """Days of a measurement inside the month, as printed and as numbers."""
    return (
        (f"{year}年{month}月中旬", (11, 20)),
        (f"{year}年{month}月11日至20日", (11, 20)),
        (f"{year}.{month}.12～{year}.{month}.14", (12, 14)),
        (f"{year}/{month:02d}/05—{year}/{month:02d}/07", (5, 7)),
        (f"{year}年{month}月上旬（1日～10日）", (1, 10)),
        (f"{year}年{month}月15日", (15, 15)),
        (f"{year}-{month:02d}-21 ~ {year}-{month:02d}-24", (21, 24)),
        (f"{digits(year)}年{NUMERALS[month - 1] if month <= 10 else '十' + NUMERALS[month - 11]}月八日至十日", (8, 10)),
    )[style]
