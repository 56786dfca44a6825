"""A sheet to print, with a board of markers and a ruler: it tells a camera the scale of the table and what its lens
bends.

    Path("sheet.svg").write_text(sheet_svg("A4"))
    Path("sheet.pdf").write_bytes(sheet_pdf("Letter", "fr"))

Both are made from the same rectangles. `calibration.markers` finds the board in pictures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import cv2
import numpy as np

Paper = Literal["A4", "Letter"]
Language = Literal["en", "fr"]
PAPERS: tuple[Paper, ...] = get_args(Paper)

SIZES_MM: dict[Paper, tuple[float, float]] = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4)}
COLUMNS, ROWS = 6, 8
SQUARE_MM, MARKER_MM = 28.0, 20.0
RULER_MM = 150
"""Length of the ruler that shows whether the sheet was printed in its true size."""

TEXTS: dict[Language, tuple[str, ...]] = {
    "en": (
        "Piste: sheet for calibrating a camera",
        "Print it in its true size (100%, not fitted to the page). The ruler must be 15 cm long.",
        "Lay it flat in the tray, or in its place, all of it in the picture; for the lens show it from five sides.",
    ),
    "fr": (
        "Piste : feuille pour régler une caméra",
        "Imprimez-la en vraie grandeur (100 %, sans ajuster à la page). La règle doit mesurer 15 cm.",
        "Posez-la à plat dans la piste, ou à sa place, entière dans l'image ; pour l'objectif, de cinq côtés.",
    ),
}
"""Title and what to do, in each language."""

_TITLE_PT, _TEXT_PT = 13.0, 9.0
_PT_MM = 25.4 / 72


@dataclass(frozen=True, slots=True)
class Ink:
    """A black rectangle: x, y of its upper left corner, width and height, millimetres from the page's corner."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text: where its first letter stands, millimetres, and its size in points."""

    x: float
    y: float
    size: float
    text: str


def board() -> cv2.aruco.CharucoBoard:
    """The board on the sheet, in millimetres: squares, with a marker in each white one."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, MARKER_MM, dictionary)


def layout(paper: Paper, language: Language = "en") -> tuple[list[Ink], list[Line]]:
    """All that is printed on the sheet. Raises ValueError for another paper or language."""
    if paper not in SIZES_MM or language not in TEXTS:
        raise ValueError(f"The sheet is made for {', '.join(SIZES_MM)}, in {', '.join(TEXTS)}.")
    width, height = SIZES_MM[paper]
    left, top = (width - COLUMNS * SQUARE_MM) / 2, 27.0
    inks = [Ink(left + each.x, top + each.y, each.width, each.height) for each in _board_inks()]
    under = top + ROWS * SQUARE_MM + 8.0
    ruler = (width - RULER_MM) / 2
    inks.append(Ink(ruler, under + 6.0, RULER_MM, 0.3))
    for mm in range(0, RULER_MM + 1):
        long = 6.0 if mm % 50 == 0 else 4.0 if mm % 10 == 0 else 2.0
        inks.append(Ink(ruler + mm - 0.1, under + 6.0 - long, 0.2, long))
    title, *texts = TEXTS[language]
    lines = [Line(left, 12.0, _TITLE_PT, title)]
    lines += [Line(left, 17.5 + 4.5 * row, _TEXT_PT, text) for row, text in enumerate(texts)]
    lines += [Line(ruler + mm + 0.6, under, _TEXT_PT, f"{mm // 10}") for mm in (50, 100)]
    lines.append(Line(ruler + RULER_MM + 1.5, under + 6.0, _TEXT_PT, "15 cm"))
    assert under + 6.0 < height - 6.0
    return inks, lines


def _board_inks() -> list[Ink]:
    """The board as rectangles: its picture with one pixel a cell of the markers, rows of black joined."""
    made = board()
    inks = [
        Ink(column * SQUARE_MM, row * SQUARE_MM, SQUARE_MM, SQUARE_MM)
        for row in range(ROWS)
        for column in range(COLUMNS)
        if (row + column) % 2 == 0
    ]
    dictionary = made.getDictionary()
    cells = 6  # four of the code, and a border
    cell = MARKER_MM / cells
    for number, corners in zip(np.ravel(made.getIds()).tolist(), made.getObjPoints(), strict=True):
        x, y = (float(each) for each in np.asarray(corners)[:, :2].min(axis=0))
        image = np.asarray(cv2.aruco.generateImageMarker(dictionary, number, cells, borderBits=1))
        for row in range(cells):
            black = np.flatnonzero(image[row] == 0)
            for run in np.split(black, np.flatnonzero(np.diff(black) > 1) + 1):
                # A hair more than a cell high, so that no white line shows between rows.
                inks.append(Ink(x + int(run[0]) * cell, y + row * cell, len(run) * cell, cell + 0.02))
    return inks


def sheet_svg(paper: Paper = "A4", language: Language = "en") -> str:
    """The sheet as SVG in millimetres. Raises ValueError for another paper or language."""
    inks, lines = layout(paper, language)
    width, height = SIZES_MM[paper]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}" shape-rendering="crispEdges">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    parts += [
        f'<rect x="{each.x:.3f}" y="{each.y:.3f}" width="{each.width:.3f}" height="{each.height:.3f}"/>'
        for each in inks
    ]
    parts += [
        f'<text x="{each.x:.2f}" y="{each.y:.2f}" font-family="Helvetica, Arial, sans-serif" '
        f'font-size="{each.size * _PT_MM:.3f}">{each.text}</text>'
        for each in lines
    ]
    return "\n".join([*parts, "</svg>", ""])


def sheet_pdf(paper: Paper = "A4", language: Language = "en") -> bytes:
    """The sheet as PDF, one page. Raises ValueError for another paper or language."""
    inks, lines = layout(paper, language)
    width, height = (side / _PT_MM for side in SIZES_MM[paper])

    def upwards(y: float) -> float:
        return height - y / _PT_MM

    drawn = [
        f"{each.x / _PT_MM:.3f} {upwards(each.y + each.height):.3f} "
        f"{each.width / _PT_MM:.3f} {each.height / _PT_MM:.3f} re"
        for each in inks
    ]
    drawn.append("f")
    for each in lines:
        text = each.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        drawn.append(f"BT /F1 {each.size} Tf {each.x / _PT_MM:.2f} {upwards(each.y):.2f} Td ({text}) Tj ET")
    content = "\n".join(drawn).encode("cp1252")
    page = (
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.2f} {height:.2f}] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>"
    )
    return _pdf(
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        page.encode("ascii"),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    )


def _pdf(*objects: bytes) -> bytes:
    """A PDF file of these objects, the first of which is its catalogue."""
    data = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
    starts = []
    for number, each in enumerate(objects, 1):
        starts.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % start for start in starts)
    count = len(objects) + 1
    return data + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (count, table, count, len(data))
    )
