"""The chapters of the report; each turns a review into blocks."""
