"""The documents name what there is: every module, no file that is not there; what is public says what it does."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LISTED = ("scorer", "scorer/service", "vision", "calibration", "models")
"""Packages whose modules each have a row in `docs/architecture.md`; the packages in them have one as a whole."""
PACKAGES = ("scorer", "vision", "calibration", "models", "sample_images")
DOCUMENTS = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "models").glob("*.md")),
]
FILES = r"py|md|toml|json|css|js|png|jpg|svg|mp4|onnx|csv|db|yml"

_CODE = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
_PATH = re.compile(rf"[\w.-]+(/[\w.-]+)*(\.({FILES})|/)")
_PLACEHOLDER = re.compile(r"[A-Z]{2,}")
_FENCED = re.compile(r"^```.*?^```", re.M | re.S)


def modules() -> list[Path]:
    return sorted(chain.from_iterable((ROOT / package).rglob("*.py") for package in PACKAGES))


def rows() -> set[str]:
    """What the table of `docs/architecture.md` lists; a second name in a row is of the first one's folder."""
    listed: set[str] = set()
    for line in (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").splitlines():
        if not line.startswith("| `"):
            continue
        first, *others = _CODE.findall(line.split("|")[1])
        listed.add(first)
        listed |= {other if "/" in other else f"{Path(first).parent.as_posix()}/{other}" for other in others}
    return listed


def lacking(listed: set[str]) -> list[str]:
    """Modules and packages of the `LISTED` ones that have no row."""
    wanted = []
    for package in LISTED:
        for path in sorted((ROOT / package).iterdir()):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix == ".py" and path.name != "__init__.py":
                wanted.append(name)
            elif (path / "__init__.py").is_file() and name not in LISTED:
                wanted.append(f"{name}/")
    return [name for name in wanted if name not in listed]


def test_every_module_has_a_row_in_the_architecture() -> None:
    assert lacking(rows()) == []


def test_a_module_without_a_row_would_be_found() -> None:
    assert lacking(rows() - {"scorer/events.py", "scorer/policies/"}) == [
        "scorer/events.py",
        "scorer/policies/",
    ]


def named(text: str) -> Iterator[tuple[str, str]]:
    """The paths that a document names, each with the line it stands in: links, and code that is a path."""
    for line in _FENCED.sub("", text).splitlines():
        for target in _LINK.findall(line):
            if "://" not in target and not target.startswith("mailto:"):
                yield target, line
        for code in _CODE.findall(line):
            if "/" in code and _PATH.fullmatch(code) and not _PLACEHOLDER.fullmatch(code.split("/")[0]):
                yield code, line


def there(path: str, line: str, document: Path) -> bool:
    """Whether the path exists from the project's folder, the document's, or that of the line's first path."""
    first = next((code for code in _CODE.findall(line) if _PATH.fullmatch(code)), ".")
    pattern = _PLACEHOLDER.sub("*", path.rstrip("/")) if not path.endswith("README.md") else path
    folders = {ROOT, document.parent, ROOT / first, (ROOT / first).parent}
    return any(next(folder.glob(pattern), None) is not None for folder in folders if folder.is_dir())


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_path_that_is_named_is_there(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert [path for path, line in named(text) if not there(path, line, document)] == []


def test_a_path_that_is_not_there_would_be_found() -> None:
    text = "See `scorer/game.py`, `scorer/gone.py`, `/api/table`, [this](docs/gone.png) and `scorer/rulesets/ID.toml`."
    gone = [path for path, line in named(text) if not there(path, line, ROOT / "README.md")]
    assert gone == ["docs/gone.png", "scorer/gone.py"]


def undocumented(source: str) -> list[str]:
    """Public things of a module without a docstring: itself, its functions and classes, and methods of those
    classes that inherit from none, where nothing else tells what they do.
    """
    tree = ast.parse(source)
    missing = [] if ast.get_docstring(tree) else ["the module"]
    for node in tree.body:
        if isinstance(
            node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        ) and not node.name.startswith("_"):
            missing += [] if ast.get_docstring(node) else [node.name]
            if isinstance(node, ast.ClassDef) and all(ast.unparse(base) == "Protocol" for base in node.bases):
                missing += [
                    f"{node.name}.{each.name}"
                    for each in node.body
                    if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
                    and not each.name.startswith("_")
                    and not ast.get_docstring(each)
                ]
    return missing


@pytest.mark.parametrize("module", modules(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_is_public_says_what_it_does(module: Path) -> None:
    assert undocumented(module.read_text(encoding="utf-8")) == []


def test_what_says_nothing_would_be_found() -> None:
    source = """
class A:
    'A.'
    def f(self): ...
    def _g(self): ...
def h(): ...
class B(A):
    'B.'
    def f(self): ...
"""
    assert undocumented(source) == ["the module", "A.f", "h"]
