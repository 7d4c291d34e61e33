"use strict";

// Folded lines, links into them, and printing.
for (const part of document.querySelectorAll(".more"))
    part.querySelector("button").addEventListener("click", () => {
        part.nextElementSibling.classList.add("shown");
        part.remove();
    });

function openTarget() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || !target.matches(".source tr"))
        return;
    for (const panel of target.querySelectorAll(".panel"))
        panel.open = true;
    target.scrollIntoView({block: "center"});
    target.focus({preventScroll: true});
}
addEventListener("hashchange", openTarget);
openTarget();

let closed = [];
addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const panel of closed)
        panel.open = true;
});
addEventListener("afterprint", () => {
    for (const panel of closed)
        panel.open = false;
});

// The table: a click on a head sorts by its column, a second one the other way round.
const table = document.getElementById("lines");
for (const button of table ? table.querySelectorAll("thead button") : [])
    button.addEventListener("click", () => {
        const head = button.parentElement, column = head.cellIndex, words = head.classList.contains("words");
        const before = head.getAttribute("aria-sort");
        const down = before ? before === "ascending" : !words;
        const key = row => row.cells[column].dataset.sort;
        const compare = words ? (a, b) => key(a).localeCompare(key(b), "en", {numeric: true}) : (a, b) => key(a) - key(b);
        const rows = [...table.tBodies[0].rows].sort((a, b) => down ? compare(b, a) : compare(a, b));
        for (const other of head.parentElement.cells)
            other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        table.tBodies[0].append(...rows);
    });

// The timeline. `begin` and `end` are what is visible, in nanoseconds; `chosen` is [track, event] or null.
const canvas = document.getElementById("timeline");
if (canvas) {
    const data = JSON.parse(document.getElementById("events").textContent);
    const words = {directive: "", to_device: "copy to the device", from_device: "copy from the device",
        allocate: "allocate", release: "release", launch: "kernel", wait: "wait for kernels"};
    const top = 24, height = 36, label = 14, info = document.getElementById("event"), all = Math.max(1, data.end);
    let begin = 0, end = all, chosen = null, drawing = false;
    let ruler = null, range = null;  // the time under the mouse, and what is selected

    const time = ns => ns >= 1e9 ? (ns / 1e9).toPrecision(4) + " s" : ns >= 1e6 ? (ns / 1e6).toPrecision(4) + " ms" :
        ns >= 1e3 ? (ns / 1e3).toPrecision(4) + " µs" : Math.round(ns) + " ns";
    const size = bytes => bytes >= 1e9 ? (bytes / 1e9).toPrecision(3) + " GB" : bytes >= 1e6 ? (bytes / 1e6).toPrecision(3) + " MB" :
        bytes >= 1e3 ? (bytes / 1e3).toPrecision(3) + " kB" : bytes + " B";

    function draw() {
        drawing = false;
        const width = canvas.clientWidth, scale = devicePixelRatio || 1, style = getComputedStyle(document.documentElement);
        const color = name => style.getPropertyValue("--" + name).trim();
        const colors = data.kinds.map(kind => color({launch: "kernel", allocate: "rest", release: "rest", wait: "rest"}[kind] || kind));
        canvas.width = width * scale;
        canvas.height = canvas.clientHeight * scale;
        const pen = canvas.getContext("2d"), place = at => (at - begin) / (end - begin) * width;
        pen.scale(scale, scale);
        pen.font = "12px system-ui, sans-serif";
        pen.textBaseline = "middle";
        const rough = (end - begin) / Math.max(2, width / 110), power = 10 ** Math.floor(Math.log10(rough));
        const step = power * [1, 2, 5, 10].find(one => one * power >= rough);
        for (let at = Math.ceil(begin / step) * step; at <= end; at += step) {
            pen.fillStyle = color("line");
            pen.fillRect(place(at), 0, 1, canvas.clientHeight);
            pen.fillStyle = color("quiet");
            const label = time(at), left = place(at) + 3;
            if (left + pen.measureText(label).width <= width)
                pen.fillText(label, left, 11);
        }
        data.tracks.forEach((track, number) => {
            const y = top + number * height;
            const bar = (x, right, kind) => {
                pen.fillStyle = colors[kind];
                pen.fillRect(x, y + label, right - x, height - label - 3);
            };
            let covered = -1;  // up to where there are bars already: an operation inside of another one is not drawn
            let column = -1, filled = 0, seen = 0;  // short events share a pixel, which is as strong as they fill it
            const thin = () => {
                pen.globalAlpha = 0.25 + 0.75 * Math.min(1, filled);
                if (filled)
                    bar(column, column + 1, seen);
                pen.globalAlpha = 1;
            };
            for (const [at, lasts, kind] of track.events) {
                if (at > end)
                    break;
                if (at + lasts < begin)
                    continue;
                const x = Math.max(0, place(at)), right = Math.min(width, place(at + lasts));
                if (right <= covered)
                    continue;
                covered = right;
                if (right - x >= 1) {
                    bar(x, right, kind);
                    continue;
                }
                if (Math.floor(x) !== column) {
                    thin();
                    [column, filled, seen] = [Math.floor(x), 0, kind];
                }
                filled += Math.max(right - x, 1e-6);
            }
            thin();
            pen.fillStyle = color("text");  // above the bars, on the color of the page
            pen.fillText(track.name, 4, y + label / 2 + 1);
        });
        if (range) {
            pen.globalAlpha = .25;
            pen.fillStyle = color("link");
            pen.fillRect(place(range[0]), 0, place(range[1]) - place(range[0]), canvas.clientHeight);
            pen.globalAlpha = 1;
        }
        if (ruler !== null) {
            const x = place(ruler), said = time(ruler), room = pen.measureText(said).width + 6;
            pen.fillStyle = color("back");
            pen.fillRect(Math.min(x, width - room), 0, room, 20);
            pen.fillStyle = color("text");
            pen.fillRect(x, 0, 1, canvas.clientHeight);
            pen.fillText(said, Math.min(x + 3, width - room + 3), 11);
        }
        if (chosen) {
            const [track, event] = chosen, [at, lasts] = data.tracks[track].events[event];
            pen.strokeStyle = color("text");
            pen.lineWidth = 2;
            pen.strokeRect(place(at) - 1, top + track * height + label - 1, Math.max(3, place(at + lasts) - place(at) + 2), height - label - 1);
        }
    }
    function redraw() {
        if (!drawing)
            requestAnimationFrame(draw);
        drawing = true;
    }
    function show(from, to) {
        const length = Math.min(all, Math.max(100, to - from));
        begin = Math.min(Math.max(0, from), all - length);
        end = begin + length;
        canvas.dataset.begin = Math.round(begin);
        canvas.dataset.end = Math.round(end);
        redraw();
    }
    function zoom(factor, around) {
        show(around - (around - begin) * factor, around + (end - around) * factor);
    }
    function described(kind, place) {
        const [where, name] = data.places[place], what = words[data.kinds[kind]];
        return `${where}${name ? " in " + name : ""}${what ? ", " + what : ""}`;
    }
    function choose(found) {
        chosen = found;
        if (found) {
            const [at, lasts, kind, place, bytes] = data.tracks[found[0]].events[found[1]];
            info.textContent = `${data.tracks[found[0]].name}: ${described(kind, place)}: ` +
                `${time(lasts)}${bytes ? ", " + size(bytes) : ""}, begins at ${time(at)}`;
        }
        redraw();
    }
    // The next event, in the order of time, whose line, function or kind has a word.
    function find(word) {
        const matches = [];
        data.tracks.forEach((track, number) => track.events.forEach(([at, , kind, place], event) => {
            if (described(kind, place).toLowerCase().includes(word.toLowerCase()))
                matches.push([at, number, event]);
        }));
        matches.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
        const last = chosen ? [data.tracks[chosen[0]].events[chosen[1]][0], ...chosen] : [-1, 0, 0];
        const later = ([at, track, event]) => at - last[0] || track - last[1] || event - last[2];
        const next = Math.max(0, matches.findIndex(match => later(match) > 0));
        if (!matches.length)
            info.textContent = `No event has "${word}" in its line, function or kind.`;
        else {
            goTo(matches[next].slice(1));
            info.textContent = `${next + 1} of ${matches.length}: ${info.textContent}`;
        }
    }
    function eventAt(mouse) {
        const box = canvas.getBoundingClientRect(), track = Math.floor((mouse.clientY - box.top - top) / height);
        const at = begin + (mouse.clientX - box.left) / box.width * (end - begin), near = (end - begin) / box.width * 2;
        if (!data.tracks[track])
            return null;
        let best = null, distance = near;
        data.tracks[track].events.forEach(([from, lasts], number) => {
            const away = Math.max(from - at, at - from - lasts, 0);
            if (away < distance || (away === 0 && distance > 0))
                best = [track, number], distance = away;
        });
        return best;
    }
    function timeAt(mouse) {
        const box = canvas.getBoundingClientRect();
        return Math.min(all, Math.max(0, begin + (mouse.clientX - box.left) / box.width * (end - begin)));
    }
    function select(from, to) {
        range = [Math.min(from, to), Math.max(from, to)];
        const sums = data.kinds.map(() => 0);
        for (const track of data.tracks)
            for (const [at, lasts, kind] of track.events)
                sums[kind] += Math.max(0, Math.min(range[1], at + lasts) - Math.max(range[0], at));
        const parts = sums.map((sum, kind) => sum ? `${words[data.kinds[kind]] || "directives"} ${time(sum)}` : "").filter(Boolean);
        info.textContent = `${time(range[0])} to ${time(range[1])}, ${time(range[1] - range[0])}: ${parts.join(", ") || "nothing"}`;
        redraw();
    }
    function step(by) {
        const [track, event] = chosen || [0, by > 0 ? -1 : 0], next = event + by, events = data.tracks[track]?.events;
        if (events && events[next])
            goTo([track, next]);
    }
    function goTo(event) {
        const [at, lasts] = data.tracks[event[0]].events[event[1]];
        if (at < begin || at + lasts > end)
            show(at - (end - begin) / 2, at + (end - begin) / 2);
        choose(event);
    }
    function goToLine() {
        if (!chosen)
            return;
        const [where] = data.places[data.tracks[chosen[0]].events[chosen[1]][3]];
        const link = [...document.querySelectorAll("#lines a")].find(one => one.textContent === where);
        if (link)
            link.click();
    }
    const actions = {
        in: () => zoom(.5, (begin + end) / 2), out: () => zoom(2, (begin + end) / 2), all: () => show(0, all),
        left: () => show(begin - (end - begin) / 4, end - (end - begin) / 4),
        right: () => show(begin + (end - begin) / 4, end + (end - begin) / 4),
        next: () => step(1), previous: () => step(-1), line: goToLine,
    };
    const keys = {"+": "in", "=": "in", "-": "out", ArrowLeft: "left", ArrowRight: "right", Home: "all", n: "next",
        p: "previous", Enter: "line"};
    for (const button of document.querySelectorAll("[data-do]"))
        button.addEventListener("click", () => actions[button.dataset.do]());
    canvas.addEventListener("keydown", key => {
        if (key.ctrlKey || key.altKey || key.metaKey || !keys[key.key])
            return;
        key.preventDefault();
        actions[keys[key.key]]();
    });
    canvas.addEventListener("wheel", wheel => {
        if (!wheel.ctrlKey)
            return;
        wheel.preventDefault();
        const box = canvas.getBoundingClientRect();
        zoom(wheel.deltaY < 0 ? .8 : 1.25, begin + (wheel.clientX - box.left) / box.width * (end - begin));
    }, {passive: false});
    document.getElementById("find").addEventListener("submit", form => {
        form.preventDefault();
        const word = form.target.elements.word.value.trim();
        if (word)
            find(word);
    });
    let drag = null;
    canvas.addEventListener("pointerdown", mouse => {
        drag = {x: mouse.clientX, begin, end, moved: false, from: mouse.shiftKey ? timeAt(mouse) : null};
        range = null;
        canvas.setPointerCapture(mouse.pointerId);
    });
    canvas.addEventListener("pointermove", mouse => {
        ruler = timeAt(mouse);
        redraw();
        if (drag && drag.from !== null) {
            drag.moved = true;
            return select(drag.from, ruler);
        }
        if (!drag)
            return range || choose(eventAt(mouse));
        const by = (drag.x - mouse.clientX) / canvas.clientWidth * (drag.end - drag.begin);
        drag.moved = drag.moved || Math.abs(drag.x - mouse.clientX) > 3;
        if (drag.moved)
            show(drag.begin + by, drag.end + by);
    });
    canvas.addEventListener("pointerup", mouse => {
        if (drag && !drag.moved) {
            choose(eventAt(mouse));
            goToLine();
        }
        drag = null;
    });
    canvas.addEventListener("pointerleave", () => {
        ruler = null;
        redraw();
    });
    canvas.addEventListener("pointercancel", () => drag = null);
    new ResizeObserver(redraw).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
    matchMedia("print").addEventListener("change", draw);
    show(0, all);
    draw();
}
