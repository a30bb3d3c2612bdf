"use strict";
(() => {
  const steps = [...document.querySelectorAll(".step")];
  const links = [...document.querySelectorAll(".moves a")];
  const cursors = [...document.querySelectorAll(".cursor")];
  const slider = document.querySelector("input[type=range]");
  const status = document.getElementById("status");
  const last = steps.length - 1;
  let now = 0;

  // One step is shown at a time; without this script, and for the turning points in print, all are.
  function draw(index) {
    now = Math.max(0, Math.min(last, index));
    steps.forEach((step, i) => step.classList.toggle("current", i === now));
    links.forEach((link, i) => (i === now ? link.setAttribute("aria-current", "step") : link.removeAttribute("aria-current")));
    for (const cursor of cursors) {
      const left = +cursor.dataset.left, right = +cursor.dataset.right;
      cursor.setAttribute("transform", `translate(${left + ((right - left) * now) / Math.max(last, 1)})`);
    }
    const spoken = steps[now].querySelector("h3").textContent.replace(/\s+/g, " ").trim();
    slider.value = now;
    slider.setAttribute("aria-valuetext", spoken);
    status.textContent = spoken;
    const list = links[now].closest("ol"), place = links[now].parentElement;
    list.scrollTop = place.offsetTop - list.clientHeight / 2;
  }

  // The same, so that the address leads there again.
  function show(index) {
    draw(index);
    try {
      history.replaceState(null, "", "#" + steps[now].id);
    } catch {
      // Some viewers of mail and files forbid it; the page works without.
    }
  }

  function named(hash) {
    return steps.findIndex((step) => "#" + step.id === hash);
  }

  function turn(direction) {
    for (let i = now + direction; i >= 0 && i <= last; i += direction) {
      if (steps[i].classList.contains("turning")) return i;
    }
    return now;
  }

  const goes = {
    first: () => 0,
    back: () => now - 1,
    on: () => now + 1,
    last: () => last,
    turn: () => turn(1),
    unturn: () => turn(-1),
  };
  const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last", n: "turn", p: "unturn" };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const go = keys[event.key];
    if (!go || (event.target === slider && event.key.length > 1)) return; // a slider knows its keys
    event.preventDefault();
    show(goes[go]());
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#ply-']");
    const button = event.target.closest("[data-go]");
    const plot = event.target.closest("svg.plot");
    if (link) {
      const index = named(link.getAttribute("href"));
      if (index < 0) return;
      event.preventDefault();
      show(index);
      if (!link.closest(".moves")) document.querySelector(".controls").scrollIntoView({ block: "nearest" });
    } else if (button) {
      show(goes[button.dataset.go]());
    } else if (plot && plot.querySelector(".cursor")) {
      const cursor = plot.querySelector(".cursor"), box = plot.getBoundingClientRect();
      const left = +cursor.dataset.left, right = +cursor.dataset.right;
      const x = ((event.clientX - box.left) / box.width) * plot.viewBox.baseVal.width;
      show(Math.round(((x - left) / (right - left)) * last));
    }
  });

  slider.addEventListener("input", () => show(+slider.value));
  window.addEventListener("hashchange", () => {
    const index = named(location.hash);
    if (index >= 0) draw(index);
  });

  document.documentElement.classList.add("js");
  draw(Math.max(0, named(location.hash)));
})();
