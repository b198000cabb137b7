"""Storage: engines, tables, migrations and one store for each table family."""
