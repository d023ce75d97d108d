"""The pipeline: each stage is a module, a file in C, vectors and a test, and both step functions read as it."""

import ast
import re

from tests.structure.house import STAGES


def readme(house):
    """The README shows the pipeline."""
    if " -> ".join(STAGES) not in house.text(house.root / "README.md"):
        yield f"README.md: the pipeline is missing: {' -> '.join(STAGES)}"


def step_in_python(house):
    """`pipeline` in step.py is one call for each stage."""
    path = house.runtime / "step.py"
    functions = [node for node in ast.walk(house.tree(path)) if isinstance(node, ast.FunctionDef)]
    for function in [node for node in functions if node.name == "pipeline"]:
        statements = [node for node in function.body if not isinstance(node.value, ast.Constant)]
        if [ast.unparse(node) for node in statements] != [f"{stage}(c, s)" for stage in STAGES]:
            yield f"{house.name(path)}:{function.lineno}: pipeline does not read as {' -> '.join(STAGES)}"
    if not any(node.name == "pipeline" for node in functions):
        yield f"{house.name(path)}: there is no function pipeline"


def step_in_c(house):
    """`cp_pipeline` in step.c is one call for each stage."""
    path = house.kernel / "step.c"
    bodies = re.findall(r"\bcp_pipeline\([^)]*\)\n\{\n(.*?)\n\}", house.text(path), flags=re.DOTALL)
    calls = [[line.strip() for line in body.splitlines()] for body in bodies]
    if calls != [[f"cp_{stage}(c, s);" for stage in STAGES]]:
        yield f"{house.name(path)}: cp_pipeline does not read as {' -> '.join(STAGES)}"


def stages(house):
    """Nothing that belongs to a stage is missing."""
    for stage in STAGES:
        needed = {
            "module": house.runtime.glob(f"stages/{stage}.py"),
            "file in C": house.kernel.glob(f"stages/{stage}.c"),
            "test": (house.root / "tests").glob(f"*/test_{stage}.py"),
            "vectors": (house.root / "tests" / "vectors").glob(f"{stage}*"),
        }
        yield from (f"stage {stage}: there is no {what}" for what, files in needed.items() if not list(files))


RULES = (readme, step_in_python, step_in_c, stages)
