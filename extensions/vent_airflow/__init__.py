"""The airflow review as tools of the agent: registration and thin wrapping, no formula, no threshold."""
