"""One column at a time: its kind by a written rule, its values, levels, dates, codes for missing values."""
