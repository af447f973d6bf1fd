"""A tree in words, tables and numbers: text, rules, importance, explanations of rows and of splits."""
