"""Mistakes that mypy finds before a script runs; each line with a mistake ends with the code of mypy's error."""

from boxwood import CARTClassifier, Tree, measures, nothing  # attr-defined

model = CARTClassifier(max_depth="3")  # arg-type
model = CARTClassifier(depth=3)  # call-arg
model.fit([[1], [2]])  # call-arg
model.plot(content=3)  # arg-type
model.export("sql", dialekt="sqlite")  # call-overload
model.plot_importance().set_titel("a")  # attr-defined
model.prune(pruner=3)  # arg-type
print(model.tree_.n_leafs)  # attr-defined
leaves: str = model.tree_.n_leaves  # assignment
tree: Tree = model.rules()  # assignment
measures.gini([1, 2], weigths=[1, 1])  # call-arg
print(leaves, tree, nothing)
