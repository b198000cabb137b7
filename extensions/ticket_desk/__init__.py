"""A small ticket desk: orders, refunds, a knowledge base and an outbox on a local file; the worked example of an extension."""
