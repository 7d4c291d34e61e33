#!/usr/bin/env python3
"""Draws a measurement as bars: ``figure.py OUT/results.json >docs/performance.svg``.

There is a row for each program, the best first. Its bar is rex-build's kernel time as a part of CUDA's.
"""

import json
import sys
from pathlib import Path

_ROW, _LEFT, _UNIT, _LONGEST = 16, 150, 220, 2.0  # pixels, but for the last one, which is a ratio


def drawing(ratios: dict[str, float]) -> str:
    """An SVG image; bars longer than two end there, and only their number tells the truth."""
    height = 40 + _ROW * len(ratios)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="760" height="{height}"',
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="8" y="18">kernel time, rex-build / hand-written CUDA (bars end at {_LONGEST:g})</text>',
    ]
    for row, (name, ratio) in enumerate(sorted(ratios.items(), key=lambda item: item[1])):
        top, width = 28 + _ROW * row, round(_UNIT * min(ratio, _LONGEST))
        colour = "#3b7dd8" if ratio <= 1.05 else "#d88a3b"
        lines += [
            f'<text x="{_LEFT}" y="{top + 10}" text-anchor="end">{name}</text>',
            f'<rect x="{_LEFT + 10}" y="{top}" width="{width}" height="12" fill="{colour}"/>',
            f'<text x="{_LEFT + 14 + width}" y="{top + 10}">{ratio:.2f}</text>',
        ]
    one = _LEFT + 10 + _UNIT
    lines.append(f'<line x1="{one}" y1="24" x2="{one}" y2="{height - 8}" stroke="#888" stroke-dasharray="3 3"/>')
    return "\n".join([*lines, "</svg>"])


def main() -> int:
    rows = json.loads(Path(sys.argv[1]).read_text())["rows"]
    print(drawing({name: row["rex"]["kernel_s"] / row["cuda"]["kernel_s"] for name, row in rows.items()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
