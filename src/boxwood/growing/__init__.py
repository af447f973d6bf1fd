"""The four choices, the loop that grows a tree by them, and its sources of rows: memory, shards, workers.

Each choice is a frozen record with its own behaviour. A recipe holds one of each, beside the policy for missing values.
The growing loop and the protocol of the sources that serve it are here too; the sources are one layer above.
"""
