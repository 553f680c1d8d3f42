// A person's game: click the parts of an action on the board, or choose it from the list; then confirm it.

async function playPage() {
  const place = document.getElementById("play");
  const state = document.getElementById("state");
  const { game, seat, names } = await ask("setup");
  const board = boardOf(game);
  const who = naming(names, game, seat);
  const eyes = { viewer: seat, who };
  const stage = el("div", { class: "stage" });
  const choices = el("div", { class: "choices", role: "group", "aria-label": "Actions" });
  const ready = el("div", { class: "ask" });
  const filter = el("input", { type: "search", placeholder: "find an action", "aria-label": "Find an action", oninput: () => list() });
  const story = el("ol", { class: "story", "aria-label": "What happened" });
  const hints = el("p", { class: "small", role: "status" });
  place.replaceChildren(el("div", { class: "arena" }, el("div", {}, ready, stage),
    el("div", {}, el("h2", {}, "Your actions"), filter, choices, hints,
      el("p", {}, button("Ask for a hint", "hint", hint), " ", button("Give up the game", "give up", leave)),
      el("h2", {}, "What happened"), story)));

  let open = null, picks = [], paths = [], left = false;

  // A pick on the board stands for the part of an action with the same name; a hand may hold the same card twice.
  const partOf = (pick) => (pick.startsWith("card:") ? pick.split(":").slice(0, 2).join(":") : pick);
  const fits = (path) => picks.every((pick, i) => path[i] === partOf(pick));
  const fitting = () => open.legal.map((_, i) => i).filter((i) => !picks.length || paths[i].some(fits));
  const complete = (i) => picks.length > 0 && paths[i].some((path) => fits(path) && path.length === picks.length);

  function list() {
    const wanted = filter.value.toLowerCase().split(/\s+/);
    const found = fitting().filter((i) => wanted.every((word) => asked(open.legal[i], who).toLowerCase().includes(word)));
    choices.replaceChildren(...found.slice(0, 60).map((i) => button(asked(open.legal[i], who), asked(open.legal[i], who), () => act(i))),
      found.length > 60 ? el("p", { class: "small" }, `… and ${found.length - 60} more: click on the board or find by words`) : "");
  }

  function draw() {
    stage.replaceChildren(board.draw(open.view, { ...eyes, events: open.events, scored: null }));
    const next = new Set(fitting().flatMap((i) => paths[i].filter(fits).map((path) => path[picks.length])).filter(Boolean));
    for (const node of stage.querySelectorAll("[data-pick]")) {
      const { pick } = node.dataset;
      if (picks.includes(pick)) node.classList.add("picked");
      else if (next.has(partOf(pick))) {
        node.classList.add("can-pick");
        node.setAttribute("role", "button");
        node.setAttribute("tabindex", "0");
        if (node.dataset.name) node.setAttribute("aria-label", node.dataset.name);
        node.addEventListener("click", (e) => { e.stopPropagation(); choose(pick); });
        node.addEventListener("keydown", (e) => {
          if (e.key !== "Enter" && e.key !== " ") return;
          e.preventDefault();
          e.stopPropagation();
          choose(pick);
          (ready.querySelector(".ready") ?? stage.querySelector(".can-pick"))?.focus();
        });
      }
    }
    const done = fitting().filter(complete);
    ready.replaceChildren(...done.map((i) => el("button", { type: "button", class: "ready", onclick: () => act(i) }, asked(open.legal[i], who))),
      picks.length ? button("Take the choice back", "clear", () => { picks = []; draw(); }) : el("span", { class: "quiet" }, "Click on what is framed, or choose from the list."));
    list();
    ready.querySelector(".ready")?.focus({ preventScroll: true });
  }

  function choose(pick) {
    picks.push(pick);
    draw();
  }

  async function act(index) {
    const { id } = open;
    rest("The bot is thinking.");
    try { await ask("act", { id, index }); } catch (error) { state.textContent = error.message; }
  }

  async function hint() {
    if (!open) return;
    hints.textContent = "Thinking …";
    try {
      const found = await ask("hint", { id: open.id });
      hints.replaceChildren("By random games: ", ...found.flatMap(({ index, share }, i) => [i ? ", " : "", `${asked(open.legal[index], who)} (${Math.round(100 * share)} %)`]));
    } catch (error) { hints.textContent = error.message; }
  }

  async function leave() {
    if (!confirm("Give up this game?")) return;
    left = true;
    await ask("leave");
    rest("You gave up. The command has ended; close this tab.");
  }

  function rest(text) {
    state.textContent = text;
    open = null;
    picks = [];
    hints.textContent = "";
    ready.replaceChildren();
    choices.replaceChildren();
    for (const node of stage.querySelectorAll(".can-pick")) node.classList.remove("can-pick");
  }

  function tell(events) {
    story.append(...events.filter((e) => e.type !== "scored").map((e) => el("li", {}, told(e, who))));
    story.scrollTop = story.scrollHeight;
  }

  const heard = {
    ask(message) {
      open = message;
      picks = [];
      filter.value = "";
      paths = message.legal.map((action) => board.paths(action, message.view));
      state.replaceChildren(`It is your ply: ${message.view.step ?? message.view.phase ?? "choose"}.`);
      draw();
    },
    over(message) {
      rest("");
      state.replaceChildren(`${message.outcome.half_points.map(points).join(" – ")} · `, verdict(message.outcome, who));
    },
    record(message) {
      place.hidden = true;
      const shown = document.getElementById("replay");
      shown.hidden = false;
      showReplay(shown, { game, over: true }, { number: 1, bots: names, you: seat, heading: "The whole game, open to all now that it is over." }, message.replay, () => {}).at("99999", String(seat));
    },
    failed(message) { rest(`The game cannot go on: ${message.text}`); },
  };

  let after = 0;
  while (!left) {
    let news = [];
    try { news = await ask("news", { after }); } catch (error) {
      if (left) return;
      state.textContent = `The server is gone (${error.message}).`;
      await pause(3000);
    }
    for (const message of news) {
      after = message.id;
      if (message.events) tell(message.events);
      if (message.kind !== "ask" || message.legal) heard[message.kind](message);
      if (message.kind === "record" || message.kind === "failed") return;
    }
  }
}
globalThis.arenaReady = playPage();
