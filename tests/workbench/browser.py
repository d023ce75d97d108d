"""The page in a browser, as a person has it: from a disk or a web server, without a network, watched for complaints."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SHOTS = Path(__file__).resolve().parents[2] / "build" / "screenshots"
HOST = "bench.example"
"""A name that the browser of these tests finds on this machine, and takes for any other in the network."""
FLAGS = ("--no-sandbox", f"--host-resolver-rules=MAP {HOST} 127.0.0.1")
WIDTHS = {"desk": 1280, "phone": 390}
HARMLESS = {"minor", None}
PATIENCE = 300.0
"""For how long a person waits for what a page is to show, against hanging: nothing is judged by it. [s]"""

PIXELS = """
([place, colour]) => {
    const wanted = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    const canvas = [...document.querySelectorAll("canvas")].filter((one) => one.offsetParent)[place];
    const read = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    read.drawImage(canvas, 0, 0);
    const { data, width } = read.getImageData(0, 0, canvas.width, canvas.height);
    const rows = new Map();
    for (let i = 0; i < data.length; i += 4) {
        if (!wanted.every((v, c) => Math.abs(data[i + c] - v) < 12)) continue;
        const [x, y] = [(i / 4) % width, Math.floor(i / 4 / width)];
        const [low, high] = rows.get(x) ?? [y, y];
        rows.set(x, [Math.min(low, y), Math.max(high, y)]);
    }
    return [...rows].map(([x, [low, high]]) => [x / width, low / canvas.height, high / canvas.height]);
}
"""
"""Where pixels of a colour are in a chart: for each x the least and the largest y, shares of its canvas."""

WRITING = """
(() => {
    const drawing = CanvasRenderingContext2D.prototype, written = new WeakMap();
    const { fillText, clearRect } = drawing;
    drawing.clearRect = function (x, y, width, height) {
        if (width >= this.canvas.width && height >= this.canvas.height) written.delete(this.canvas);
        clearRect.call(this, x, y, width, height);
    };
    drawing.fillText = function (text, x, y, ...rest) {
        const { actualBoundingBoxLeft: left, actualBoundingBoxRight: right, actualBoundingBoxAscent: up,
            actualBoundingBoxDescent: down } = this.measureText(text), at = this.getTransform();
        const corners = [[x - left, y - up], [x + right, y + down]].map(([a, b]) => at.transformPoint({ x: a, y: b }));
        const [xs, ys] = [corners.map((one) => one.x), corners.map((one) => one.y)];
        const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
        written.set(this.canvas, [...(written.get(this.canvas) ?? []), { text, box }]);
        fillText.call(this, text, x, y, ...rest);
    };
    window.writtenOn = (canvas) => written.get(canvas) ?? [];
})();
"""
"""What is written on canvases is kept with its box in pixels of the canvas, until the canvas is cleared."""

OVERLAPS = """
() => {
    const boxes = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const clipped = (box, element) => {
        const { max, min } = Math;
        let [left, top, right, bottom] = box;
        for (let one = element; one && one !== document.body; one = one.parentElement) {
            const { overflowX, overflowY } = getComputedStyle(one), around = one.getBoundingClientRect();
            if (overflowX !== "visible") [left, right] = [max(left, around.left), min(right, around.right)];
            if (overflowY !== "visible") [top, bottom] = [max(top, around.top), min(bottom, around.bottom)];
        }
        return [left, top, right, bottom];
    };
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement, seen = { visibilityProperty: true, opacityProperty: true };
        if (!node.data.trim() || !element.checkVisibility(seen)) continue;
        if (element.closest("option, script, style")) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const { left, top, right, bottom } of range.getClientRects())
            boxes.push({ text: node.data, node, box: clipped([left, top, right, bottom], element) });
    }
    for (const canvas of document.querySelectorAll("canvas")) {
        if (!canvas.checkVisibility({ visibilityProperty: true })) continue;
        const around = canvas.getBoundingClientRect(), scale = around.width / canvas.width;
        for (const { text, box: [left, top, right, bottom] } of writtenOn(canvas))
            boxes.push({ text, node: {}, box: [around.left + scale * left, around.top + scale * top,
                around.left + scale * right, around.top + scale * bottom] });
    }
    const shared = (one, other) => Math.min(Math.min(one.box[2], other.box[2]) - Math.max(one.box[0], other.box[0]),
        Math.min(one.box[3], other.box[3]) - Math.max(one.box[1], other.box[1]));
    return [boxes.length, boxes.flatMap((one, i) => boxes.slice(i + 1).filter((other) => (
        one.node !== other.node && shared(one, other) > 2)).map((other) => [one.text, other.text]))];
}
"""
"""How many lines of text are seen, in the document and on its charts, and pairs of those that cover each other."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder by plain http as `HOST`; yield the address."""
    handler = functools.partial(_Quiet, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://{HOST}:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def context_of(browser, scheme: str, place: str, **how: object):
    """Return a browser's room for pages, in which a scheme of colours and a width are asked for."""
    size = {"width": WIDTHS[place], "height": 900}
    context = browser.new_context(color_scheme=scheme, viewport=size, **how)
    context.set_default_timeout(1000.0 * PATIENCE)
    return context


class Watched:
    """A page that fails if it complains or asks for anything but itself."""

    def __init__(self, browser, address: str, scheme: str = "light", place: str = "desk", **how: object) -> None:
        """Open it."""
        self.heard: list[str] = []
        self.asked: list[str] = []
        self.context = context_of(browser, scheme, place, reduced_motion="reduce", **how)
        self.context.add_init_script(WRITING)
        self.page = self.context.new_page()
        self.page.on("console", lambda message: self.heard.append(message.text))
        self.page.on("pageerror", lambda error: self.heard.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.address = address
        self.page.goto(address)
        if address.startswith("file:"):
            self.context.set_offline(True)

    def close(self) -> None:
        """Close it and say what it should not have done."""
        self.context.close()
        own = ("data:", "blob:", self.address.partition("#")[0])
        assert self.heard == []
        assert [url for url in self.asked if not url.startswith(own)] == [], "the page itself and nothing else"

    def until(self, expression: str, seconds: float = PATIENCE) -> None:
        """Wait for an expression to be true; the driver's own way needs eval, which the page forbids."""
        end = time.monotonic() + seconds
        while not self.page.evaluate(expression):
            assert time.monotonic() < end, expression
            self.page.wait_for_timeout(20)

    def pixels(self, place: int, colour: str) -> list[list[float]]:
        """Return where a colour is in the chart of this number, of those that are seen."""
        return self.page.evaluate(PIXELS, [place, colour])

    def overlaps(self) -> list[list[str]]:
        """Return pairs of texts that cover each other by more than 2 pixels."""
        seen, found = self.page.evaluate(OVERLAPS)
        assert seen > 20, "texts are found at all"
        return found

    def usable(self, name: str) -> None:
        """Keep a picture of what everybody can use: nothing is too wide, covered, or wrong for a screen reader."""
        from axe_playwright_python.sync_playwright import Axe

        self.shot(name)
        page = self.page
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
        assert self.overlaps() == []
        found = Axe().run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] not in HARMLESS] == []

    def shot(self, name: str) -> None:
        """Keep a picture of it."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SHOTS / f"workbench-{name}.png", full_page=True)
