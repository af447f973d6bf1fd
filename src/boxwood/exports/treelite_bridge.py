"""A tree as a treelite model, for its compilers and its GPU library."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..errors import NotAvailableError
from ..tree.tree import Tree
from .bridges import bridge_plan, unfolded
from .plan import ExportPlan
from .questions import Ask
from .values import refuse_wide_cuts


def to_treelite(tree: Tree, unseen: str = "missing", missing: str = "as_tree"):
    """The tree as a ``treelite.Model`` in float64, with sets of levels; its input is the matrix of ``tree.to_codes``.

    Parameters and errors as in :meth:`boxwood.model.readable.ReadableTree.to_treelite`.
    """
    try:
        import treelite
        from treelite import model_builder as parts
    except ImportError as error:
        raise NotAvailableError(
            "to_treelite needs the package treelite; install it with: pip install treelite."
        ) from error
    plan = bridge_plan(tree, unseen, missing, "treelite")
    refuse_wide_cuts(plan, "treelite")
    width = len(tree.response.labels) if plan.has_classes else 1
    builder = parts.ModelBuilder(
        threshold_type="float64",
        leaf_output_type="float64",
        metadata=parts.Metadata(
            num_feature=len(tree.schema),
            task_type="kMultiClf" if width > 1 else "kRegressor",
            average_tree_output=False,
            num_target=1,
            num_class=[width],
            leaf_vector_shape=(1, width),
        ),
        tree_annotation=parts.TreeAnnotation(num_tree=1, target_id=[0], class_id=[-1 if width > 1 else 0]),
        postprocessor=parts.PostProcessorFunc(name="identity_multiclass" if width > 1 else "identity"),
        base_scores=[0.0] * width,
    )
    questions, links = unfolded(plan, "treelite")
    builder.start_tree()
    for key, content in _nodes(questions, links):
        builder.start_node(key)
        if isinstance(content, tuple):
            _ask(builder, *content)
        else:
            builder.leaf(_said(plan, content))
        builder.end_node()
    builder.end_tree()
    model: treelite.Model = builder.commit()
    return model


def _nodes(questions: list[Ask], links: list[tuple[int, int]]) -> Iterator[tuple[int, tuple | int]]:
    """Key and content of each node: a question with the keys of its answers, or the end that a leaf stands for."""
    if not questions:
        yield 0, ~links[0][0]
        return
    leaf = len(questions)
    for key, (ask, ends) in enumerate(zip(questions, links, strict=True)):
        keys, leaves = [], []
        for link in ends:
            if link < 0:
                leaves.append((leaf, ~link))
                link, leaf = leaf, leaf + 1
            keys.append(link)
        yield key, (ask, *keys)
        yield from leaves


def _ask(builder, ask: Ask, yes: int, no: int) -> None:
    if ask.cut is None:
        builder.categorical_test(
            ask.column, default_left=ask.missing, category_list=list(ask.levels), category_list_right_child=False,
            left_child_key=yes, right_child_key=no,
        )  # fmt: skip
    else:
        builder.numerical_test(
            ask.column, ask.cut, default_left=ask.missing, opname="<=", left_child_key=yes, right_child_key=no
        )


def _said(plan: ExportPlan, end: int) -> float | np.ndarray:
    """The prediction of a row by the node where it ends: class probabilities, or a number."""
    t = end % plan.tree.n_nodes
    if plan.has_classes and len(plan.tree.response.labels) > 1:
        return plan.tree.probability[t].tolist()
    return 1.0 if plan.has_classes else float(plan.tree.value[t])
