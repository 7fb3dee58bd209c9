"""runtime.sqlite: schema, migrations and named queries, and nothing else. No rule of the product is decided here."""
