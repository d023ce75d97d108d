"""What translates each kind of node."""

from __future__ import annotations

import ast

from workbench.build.translator import calls, definitions, loops, operators, statements, texts, values
from workbench.build.translator.context import Expression, Statement

EXPRESSIONS: dict[type[ast.AST], Expression] = {
    ast.Constant: values.constant,
    ast.Name: values.name,
    ast.Attribute: values.attribute,
    ast.List: values.sequence,
    ast.Tuple: values.sequence,
    ast.Set: values.sequence,
    ast.Dict: values.dictionary,
    ast.Subscript: values.subscript,
    ast.Lambda: values.function,
    ast.NamedExpr: values.walrus,
    ast.JoinedStr: texts.text,
    ast.BinOp: operators.binary,
    ast.UnaryOp: operators.unary,
    ast.BoolOp: operators.choice,
    ast.IfExp: operators.conditional,
    ast.Compare: operators.comparison,
    ast.ListComp: loops.comprehension,
    ast.SetComp: loops.comprehension,
    ast.DictComp: loops.comprehension,
    ast.GeneratorExp: loops.comprehension,
    ast.Call: calls.call,
}
"""Expressions."""

STATEMENTS: dict[type[ast.AST], Statement] = {
    ast.Expr: statements.expression,
    ast.Assign: statements.assignment,
    ast.AnnAssign: statements.annotated_assignment,
    ast.AugAssign: statements.augmented,
    ast.Return: statements.returned,
    ast.If: statements.branches,
    ast.While: statements.repeated,
    ast.For: statements.loop,
    ast.Raise: statements.raised,
    ast.Try: statements.tried,
    ast.Assert: statements.asserted,
    ast.Delete: statements.deleted,
    ast.Break: statements.word,
    ast.Continue: statements.word,
    ast.Pass: statements.nothing,
    ast.Import: statements.nothing,
    ast.ImportFrom: statements.nothing,
    ast.Nonlocal: statements.nothing,
    ast.Global: statements.nothing,
    ast.FunctionDef: definitions.definition,
    ast.ClassDef: definitions.class_definition,
}
"""Statements."""
