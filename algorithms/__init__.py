"""Pure calculation: no web, no database, no agent."""
