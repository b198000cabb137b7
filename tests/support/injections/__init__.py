"""Documents with instructions sown into them: the same airflow papers, with orders wherever a format has room for words."""
