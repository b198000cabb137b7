"""A second generator of plans and measurement reports with known truth, written from the domain notes alone."""
