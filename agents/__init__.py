"""Agents: the only package that imports deepagents, langchain agents and graphs."""
