"""Tools: what an agent may do. Knows no agent."""
