"""A tree as text, tables and numbers: rules, importance, explanations of rows and of splits."""
