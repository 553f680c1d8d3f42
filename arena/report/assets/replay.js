// A finished game, ply by ply, through the eyes of a spectator or a seat.

const SPEEDS = [["slow", 2500], ["normal", 1200], ["fast", 400], ["very fast", 120]];

function showReplay(place, event, game, replay, go) {
  const { number, bots, heading } = game;
  const who = naming(bots, event.game, game.you);
  const board = boardOf(event.game);
  const last = replay.plies.length;
  const frames = new Map();
  let ply = 0, viewer = "spectator", timer = 0, speed = 1200;

  const framesOf = (eyes) => {
    const key = eyes in replay.viewers ? eyes : "spectator";
    if (!frames.has(key)) frames.set(key, wholes(replay.viewers[key]));
    return { views: frames.get(key), events: replay.events[key] };
  };
  const scored = () => replay.events.spectator.at(-1)?.find((e) => e.type === "scored");

  const stage = el("div", { class: "stage" });
  const now = el("p", { class: "now", "aria-live": "polite" });
  const meta = el("p", { class: "meta small" });
  const end = el("div", { class: "end" });
  const slider = el("input", { type: "range", min: 0, max: last, step: 1, "aria-label": "Plies played", oninput: (e) => move(Number(e.target.value)) });
  const counter = el("output", { class: "counter", title: "plies played" });
  const list = el("ol", { class: "plies", start: 0 });
  const play = button("Play", icon("play"), () => (timer ? stop() : start()));
  const eyes = el("select", { "aria-label": "Through whose eyes", onchange: (e) => { viewer = e.target.value; move(ply); } },
    el("option", { value: "spectator" }, "Spectator"),
    event.over ? [0, 1].map((seat) => el("option", { value: String(seat) }, `Seat ${seat}: ${bots[seat]}`)) : null);
  const pace = el("select", { "aria-label": "Speed", onchange: (e) => { speed = Number(e.target.value); if (timer) { stop(); start(); } } },
    SPEEDS.map(([name, ms]) => el("option", { value: ms, selected: ms === 1200 }, name)));

  const items = replay.plies.map((_, i) => el("button", { type: "button", class: "ply", onclick: () => move(i + 1) }));
  list.append(...items.map((item) => el("li", {}, item)));

  function label(i) {
    const { events } = framesOf(viewer);
    const [seat, ms, mark, note] = replay.plies[i];
    const happened = events[i].filter((e) => e.type !== "turn");
    const parts = happened.length ? happened.map((e, k) => [k ? "; " : "", told({ ...e, seat: k && e.seat === seat ? null : e.seat }, who)]) : [who(seat), seat === who.you ? " end your actions" : " ends its actions"];
    return [parts, mark === "f" ? el("span", { class: "tag" }, "forced") : mark === "s" ? el("span", { class: "tag" }, "by the referee") : null,
      ms === null || ms === undefined ? null : el("span", { class: "quiet ms" }, `${ms || "under 0.1"} ms`), note ? el("span", { class: "note" }, bdi(note)) : null];
  }

  function write() {
    items.forEach((item, i) => item.replaceChildren(...[label(i)].flat(4).filter(Boolean)));
  }

  let written = null;
  function move(to) {
    ply = Math.max(0, Math.min(last, to));
    const { views, events } = framesOf(viewer);
    if (written !== viewer) { write(); written = viewer; }
    const happened = ply ? events[ply - 1] : [];
    const final = ply === last ? scored() : null;
    stage.replaceChildren(board.draw(views[ply], { viewer: viewer === "spectator" ? null : Number(viewer), who, events: happened, scored: final, range: replay.ranges?.[ply - 1] }));
    now.replaceChildren(...(ply ? [el("span", { class: "quiet" }, `ply ${ply - 1}: `), label(ply - 1)].flat(4).filter(Boolean) : ["The start of the game."]));
    slider.value = ply;
    slider.setAttribute("aria-valuetext", `${ply} of ${last} plies played`);
    counter.textContent = `${ply} / ${last}`;
    items.forEach((item, i) => (i === ply - 1 ? item.setAttribute("aria-current", "step") : item.removeAttribute("aria-current")));
    const current = items[ply - 1];
    if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
    end.hidden = ply !== last;
    history.replaceState(null, "", `#game=${number}&ply=${ply}${viewer === "spectator" ? "" : `&as=${viewer}`}`);
    if (ply === last) stop();
  }

  function start() {
    if (ply === last) move(0);
    timer = setInterval(() => move(ply + 1), speed);
    play.replaceChildren(icon("pause"));
    play.setAttribute("aria-label", "Pause");
    now.setAttribute("aria-live", "off");
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    play.replaceChildren(icon("play"));
    play.setAttribute("aria-label", "Play");
    now.setAttribute("aria-live", "polite");
  }

  function key(e) {
    if (e.altKey || e.ctrlKey || e.metaKey || e.target.matches("select, textarea, input:not([type=range])")) return;
    const steps = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: last, PageUp: ply - 10, PageDown: ply + 10 };
    if (e.key in steps) move(steps[e.key]);
    else if (e.key === " " && !e.target.matches("button, summary")) timer ? stop() : start();
    else if (e.key === "Escape") go("#games");
    else return;
    e.preventDefault();
  }

  const faults = (replay.outcome.faults ?? []).map((fault) => el("p", { class: "warn" }, who(fault.seat), `: ${fault.code} `, bdi(fault.text)));
  end.append(el("p", { class: "verdict" }, `${replay.outcome.half_points.map(points).join(" – ")} · `, verdict(replay.outcome, who)), ...faults);
  const reveal = scored();
  if (reveal && board.explain) end.append(board.explain(reveal, who));
  for (const [seat, text] of Object.entries(replay.stderr ?? {})) {
    end.append(el("details", {}, el("summary", {}, "stderr of ", who(Number(seat))), el("pre", {}, bdi(text))));
  }
  meta.append("Keys: ← → step, Home and End, space plays, Esc goes back.");

  place.replaceChildren(
    el("p", {}, el("a", { href: "#games" }, "← All games")),
    el("h2", { tabindex: -1 }, `Game ${number}: `, who(0), " against ", who(1)),
    el("p", { class: "small" }, heading),
    el("div", { class: "controls", role: "group", "aria-label": "Replay" },
      button("To the start", icon("start"), () => move(0)), button("One ply back", icon("back"), () => move(ply - 1)), play,
      button("One ply on", icon("on"), () => move(ply + 1)), button("To the end", icon("end"), () => move(last)), slider, counter, eyes, pace),
    now, el("div", { class: "arena" }, stage, el("div", { class: "log" }, el("h3", {}, "Plies"), list)), end, meta);
  place.onkeydown = key;

  return {
    stop,
    at(wanted, as) {
      if (as !== null && event.over && ["0", "1"].includes(as)) viewer = as;
      eyes.value = viewer;
      move(wanted === null ? 0 : Number(wanted));
    },
  };
}
