"use strict";
// Goes through the story of each violation: which step it is at, and what variables and objects hold then.
(function () {
  const stories = JSON.parse(document.getElementById("stories").textContent);
  const element = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const anchor = (place) =>
    place && "L-" + place.file.replace(/[^A-Za-z0-9._-]/g, "_") + "-" + place.line;
  const words = (step, inputs) => {
    const d = step.details;
    switch (step.what) {
      case "input": {
        const input = inputs[d.input];
        return "input" + (input.name ? " " + input.name : "") + " = " + input.value;
      }
      case "assign": return d.name + " = " + d.value;
      case "branch": return d.to ? "goes on at line " + d.to.line : "a branch";
      case "call": return "calls " + d.callee;
      case "return": return "returns from " + d.callee;
      case "allocate": return "makes " + d.object + " (" + d.size + " bytes)";
      case "free": return "frees " + d.object;
      case "lost": return "nothing leads to " + d.object + " any more";
      default: return step.what;
    }
  };
  // What everything holds after the first `count` steps.
  const stateAfter = (steps, count) => {
    const frames = new Map();
    const objects = new Map();
    const object = (name) => {
      if (!objects.has(name)) objects.set(name, { fields: new Map() });
      return objects.get(name);
    };
    for (let i = 0; i < count; i++) {
      const step = steps[i];
      const d = step.details;
      const gone = step.what === "return" ? step.depth - 1 : step.what === "call" ? step.depth : Infinity;
      for (const depth of [...frames.keys()]) if (depth > gone) frames.delete(depth);
      if (step.what === "return") continue;
      if (!frames.has(step.depth)) frames.set(step.depth, { name: step.function, vars: new Map() });
      if (step.what === "assign" && d.object) object(d.object).fields.set(d.name, [d.value, i]);
      else if (step.what === "assign") frames.get(step.depth).vars.set(d.name, [d.value, i]);
      else if (step.what === "allocate") object(d.object).size = d.size;
      else if (step.what === "free") object(d.object).freed = true;
      else if (step.what === "lost") object(d.object).lost = true;
    }
    return { frames, objects };
  };
  const pointee = (value) => (/^&/.test(value) ? value.slice(1).replace(/ [+-] \d+$/, "") : null);

  for (const box of document.querySelectorAll(".story")) {
    const violation = stories[Number(box.dataset.story)];
    const { steps, inputs, objects: last, sliced } = violation.story;
    const list = box.querySelector(".steps");
    const all = box.querySelector(".all");
    let at = steps.length;
    const shown = () => steps.map((s, i) => i).filter((i) => all.checked || !sliced || steps[i].matters);
    const draw = () => {
      const visible = shown();
      list.replaceChildren();
      for (const i of visible) {
        const step = steps[i];
        const item = element("li", (step.matters || !sliced ? "" : "aside ") + (i === at - 1 ? "now" : ""));
        item.append(element("span", "at", step.place ? step.place.file.split("/").pop() + ":" + step.place.line : ""));
        item.append("  ".repeat(step.depth) + words(step, inputs));
        item.onclick = () => { at = i + 1; draw(); };
        list.append(item);
        if (i === at - 1) requestAnimationFrame(() => item.scrollIntoView({ block: "nearest" }));
      }
      const end = element("li", at === steps.length + 1 ? "now" : "", "✗ " + (violation.explanation || violation.property));
      end.onclick = () => { at = steps.length + 1; draw(); };
      list.append(end);
      box.querySelector(".where").textContent = "step " + Math.min(at, steps.length + 1) + " of " + (steps.length + 1);
      const state = stateAfter(steps, Math.min(at, steps.length));
      const frames = box.querySelector(".frames");
      const heap = box.querySelector(".heap");
      frames.replaceChildren();
      heap.replaceChildren();
      const arrows = [];
      const line = (name, [value, when]) => {
        const row = element("div", when === at - 1 ? "changed" : "", name + " = " + value);
        const target = pointee(value);
        if (target) arrows.push([row, target]);
        return row;
      };
      for (const [, frame] of [...state.frames].sort((a, b) => a[0] - b[0])) {
        const drawn = element("div", "frame");
        drawn.append(element("b", "", frame.name));
        for (const [name, value] of frame.vars) drawn.append(line(name, value));
        frames.append(drawn);
      }
      const boxes = new Map();
      const over = at > steps.length;
      const known = new Map(last.map((o) => [o.name, o]));
      const names = new Set(state.objects.keys());
      if (over) for (const o of last) if (o.kind === "heap" || o.size > 8) names.add(o.name);
      for (const name of names) {
        const object = state.objects.get(name) || { fields: new Map() };
        const drawn = element("div", "object" + (object.freed ? " freed" : "") + (object.lost ? " lost" : ""));
        const end = known.get(name);
        const size = object.size !== undefined ? object.size : end && end.size;
        drawn.append(element("b", "", name + (size !== undefined ? " (" + size + " bytes)" : "")));
        for (const [field, value] of object.fields) drawn.append(line(field, value));
        if (over && end) {
          if (end.text) drawn.append(element("div", "", end.text));
          drawn.append(element("div", "hex", end.hex));
          for (const [offset, target] of end.pointers) {
            if (object.fields.size === 0) drawn.append(line("[" + offset + "]", [target, -1]));
          }
        }
        boxes.set(name, drawn);
        heap.append(drawn);
      }
      // Arrows from what points to what it points to.
      const area = box.querySelector(".state");
      area.querySelectorAll("svg").forEach((old) => old.remove());
      const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      svg.setAttribute("class", "arrows");
      svg.innerHTML = '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" style="fill:#1e88e5;stroke:none"/></marker></defs>';
      const origin = area.getBoundingClientRect();
      for (const [from, name] of arrows) {
        const to = boxes.get(name);
        if (!to || to.contains(from)) continue;
        const a = from.getBoundingClientRect(), b = to.getBoundingClientRect();
        const inHeap = heap.contains(from);
        const x1 = a.right - origin.left - (inHeap ? 6 : 2), y1 = (a.top + a.bottom) / 2 - origin.top;
        const x2 = (inHeap ? b.right : b.left) - origin.left, y2 = b.top - origin.top + 10;
        const bend = inHeap ? 40 : 30;
        const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
        path.setAttribute("d", `M${x1} ${y1} C${x1 + bend} ${y1} ${inHeap ? x2 + bend : x2 - bend} ${y2} ${x2} ${y2}`);
        path.setAttribute("marker-end", "url(#tip)");
        svg.append(path);
      }
      area.append(svg);
      document.querySelectorAll("tr.here").forEach((row) => row.classList.remove("here"));
      const place = at > 0 && at <= steps.length ? steps[at - 1].place : violation.place;
      const row = place && document.getElementById(anchor(place));
      if (row) row.classList.add("here");
    };
    const move = (way) => {
      const visible = [...shown(), steps.length];
      const here = at - 1;
      if (way > 0) at = (visible.find((i) => i > here) ?? steps.length) + 1;
      else at = ([...visible].reverse().find((i) => i < here) ?? visible[0]) + 1;
      draw();
    };
    box.querySelector(".first").onclick = () => { at = (shown()[0] ?? steps.length) + 1; draw(); };
    box.querySelector(".last").onclick = () => { at = steps.length + 1; draw(); };
    box.querySelector(".back").onclick = () => move(-1);
    box.querySelector(".on").onclick = () => move(1);
    all.onchange = draw;
    box.tabIndex = 0;
    box.onkeydown = (event) => {
      if (event.key === "ArrowRight" || event.key === "ArrowDown") { move(1); event.preventDefault(); }
      if (event.key === "ArrowLeft" || event.key === "ArrowUp") { move(-1); event.preventDefault(); }
    };
    at = steps.length + 1;
    draw();
  }
})();
