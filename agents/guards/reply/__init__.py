"""The shape of a reply: sentences, clauses, tables, and the words beside a number."""
