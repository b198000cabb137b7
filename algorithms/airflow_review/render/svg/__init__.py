"""Drawings of a review as SVG: one source for the HTML report, its print and whatever page shows a review.

Only elements and attributes, no `style`, no script, no font file: a strict content policy lets them through, and every number is text
that can be selected and searched. Colour never speaks alone, each mark has its word or figure. Colours stand in `palette`:
as attributes for a bright page, as rules on class names for a dark one.
"""
