"""A tree as a treelite model, for its compilers and its GPU library."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..errors import NotAvailableError
from .answers import Answers
from .bridges import bridge_plan, not_compared, to_codes, unfolded
from .plan import ExportPlan
from .questions import Question
from .raw_rows import RawRows
from .values import refuse_wide_cuts


def write(plan: ExportPlan, options: dict) -> bytes:
    """The model in treelite's own format, which ``treelite.Model.deserialize`` reads.

    Raises
    ------
    ParameterError, NotAvailableError
        As for :func:`to_treelite`.
    """
    return bytes(to_treelite(plan, options["missing"]).serialize_bytes())


def run(content: bytes, plan: ExportPlan, rows: RawRows, options: dict) -> tuple[Answers, str]:
    """What treelite's own evaluator makes of rows: probabilities, or numbers.

    Raises
    ------
    NotAvailableError
        The package treelite is not installed.
    """
    treelite = _treelite()
    model = treelite.Model.deserialize_bytes(content)
    found = treelite.gtil.predict(model, to_codes(bridge_plan(plan, options["missing"], "treelite"), rows.columns))
    found = np.asarray(found).reshape(rows.n, -1)
    engine = f"treelite {treelite.__version__}"
    lost = not_compared(plan, rows, options["missing"])
    if plan.has_classes:
        return Answers(None, None, found, lost), engine
    return Answers(found[:, 0].astype(object), left_out=lost), engine


def _treelite():
    try:
        import treelite
        import treelite.gtil
        import treelite.model_builder
    except ImportError as error:
        raise NotAvailableError("this needs the package treelite; install it with: pip install treelite.") from error
    return treelite


def to_treelite(plan: ExportPlan, missing: str = "as_tree"):
    """The tree as a ``treelite.Model`` in float64, with sets of levels; its input is the matrix of ``tree.to_codes``.

    Parameters and errors as in :meth:`boxwood.model.readable.ReadableTree.to_treelite`.
    """
    parts = _treelite().model_builder
    plan = bridge_plan(plan, missing, "treelite")
    refuse_wide_cuts(plan, "treelite")
    tree = plan.tree
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
    found = unfolded(plan, "treelite")
    builder.start_tree()
    for key, content in _nodes(found.questions, found.links):
        builder.start_node(key)
        if isinstance(content, tuple):
            _write_question(builder, *content)
        else:
            builder.leaf(_prediction(plan, content))
        builder.end_node()
    builder.end_tree()
    return builder.commit()


def _nodes(questions: list[Question], links: list[tuple[int, int]]) -> Iterator[tuple[int, tuple | int]]:
    """Key and content of each node: a question with the keys of its answers, or the end that a leaf represents."""
    if not questions:
        yield 0, ~links[0][0]
        return
    leaf = len(questions)
    for key, (question, ends) in enumerate(zip(questions, links, strict=True)):
        keys, leaves = [], []
        for link in ends:
            if link < 0:
                leaves.append((leaf, ~link))
                link, leaf = leaf, leaf + 1
            keys.append(link)
        yield key, (question, *keys)
        yield from leaves


def _write_question(builder, question: Question, yes: int, no: int) -> None:
    if question.cut is None:
        builder.categorical_test(
            question.column, default_left=question.missing, category_list=list(question.levels),
            category_list_right_child=False, left_child_key=yes, right_child_key=no,
        )  # fmt: skip
    else:
        builder.numerical_test(
            question.column, question.cut, default_left=question.missing, opname="<=",
            left_child_key=yes, right_child_key=no,
        )  # fmt: skip


def _prediction(plan: ExportPlan, end: int) -> float | np.ndarray:
    """The prediction of a row by the node where it ends: class probabilities, or a number."""
    t = end % plan.tree.n_nodes
    if plan.has_classes and len(plan.tree.response.labels) > 1:
        return plan.tree.probability[t].tolist()
    return 1.0 if plan.has_classes else float(plan.tree.value[t])
