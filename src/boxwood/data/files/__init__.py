"""Files and addresses become Arrow tables: text, workbooks, typed files, compressed or remote."""
