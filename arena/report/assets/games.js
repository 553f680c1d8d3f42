// The page of an event: the list of games with its filters, and the way to and from a replay.

const PAGE = 50;

async function eventPage(remembered = {}) {
  const section = document.getElementById("games");
  const event = await unpacked(section.dataset.index);
  const main = document.getElementById("event");
  const place = document.getElementById("replay");
  const gone = new AbortController();
  let shown = null, open = null;

  function game(i) {
    const g = event.games;
    const bots = [event.ids[g.seat0[i]], event.ids[g.seat1[i]]];
    const code = g.code[i] >= 0 ? event.games.codes[g.code[i]] : "";
    return { i, number: g.number[i], bots, code, reason: g.reasons[g.reason[i]],
      heading: `round ${g.round[i]}, pairing ${g.pairing[i]}, deal ${g.deal[i]}, leg ${g.leg[i] + 1} · id r${g.round[i]}p${g.pairing[i]}d${g.deal[i]}g${g.leg[i] + 1}` };
  }

  const options = (first) => [el("option", { value: "" }, first), event.ids.map((id) => el("option", { value: id }, id))];
  const fields = {
    bot: el("select", {}, options("any bot")), other: el("select", {}, options("any opponent")),
    round: el("input", { type: "number", min: 1, inputmode: "numeric" }), pairing: el("input", { type: "number", min: 1, inputmode: "numeric" }),
    deal: el("input", { type: "number", min: 0, inputmode: "numeric" }),
    fault: el("select", {}, el("option", { value: "" }, "all games"), el("option", { value: "any" }, "with a fault"), event.games.codes.map((code) => el("option", { value: code }, code))),
  };
  const list = el("div", {});
  const filters = el("form", { class: "filters", "aria-label": "Filter the games", onsubmit: (e) => e.preventDefault(), oninput: () => listGames(0) },
    Object.entries(fields).map(([name, field]) => el("label", {}, `${name} `, field)),
    button("Show all games", "all", () => { for (const field of Object.values(fields)) field.value = ""; listGames(0); }));
  section.append(filters, list);

  function matches(i) {
    const g = event.games;
    const wanted = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value]));
    const bots = [event.ids[g.seat0[i]], event.ids[g.seat1[i]]];
    if (wanted.bot && !bots.includes(wanted.bot)) return false;
    if (wanted.other && (!bots.includes(wanted.other) || (wanted.bot === wanted.other && bots[0] !== bots[1]))) return false;
    for (const name of ["round", "pairing", "deal"]) if (wanted[name] !== "" && g[name][i] !== Number(wanted[name])) return false;
    return !wanted.fault || (g.code[i] >= 0 && (wanted.fault === "any" || g.codes[g.code[i]] === wanted.fault));
  }

  function listGames(from) {
    const g = event.games;
    remembered = { from, fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value])) };
    const found = g.number.map((_, i) => i).filter(matches);
    const rows = found.slice(from, from + PAGE).map((i) => {
      const { number, bots, reason, code } = game(i);
      const link = g.replay[i] ? el("a", { href: `#game=${number}`, "aria-label": `Replay of game ${number}` }, String(number)) : String(number);
      const winner = g.points0[i] === g.points1[i] ? -1 : g.points0[i] > g.points1[i] ? 0 : 1;
      const name = (seat) => el(winner === seat ? "strong" : "span", {}, idOf(bots[seat]));
      return [link, String(g.round[i]), name(0), `${points(g.points0[i])} – ${points(g.points1[i])}`, name(1), code === reason ? ["forfeit ", el("code", {}, code)] : [reason, code ? [" ", el("span", { class: "quiet" }, `(${code} forgiven)`)] : null], String(g.plies[i]), String(g.deal[i])];
    });
    const heads = [{ text: "game", num: true }, { text: "round", num: true }, "seat 0", "points", "seat 1", "by", { text: "plies", num: true }, { text: "deal", num: true }];
    const shownTo = Math.min(from + PAGE, found.length);
    const caption = found.length ? `Games ${from + 1} to ${shownTo} of ${found.length}; a number opens the replay` : "No game fits";
    list.replaceChildren(table(caption, heads, rows), found.length <= PAGE ? "" : el("p", { class: "pager" },
      button("Earlier games", "← earlier", () => listGames(from - PAGE), { disabled: from === 0 }), ` ${from + 1}–${shownTo} of ${found.length} `,
      button("Later games", "later →", () => listGames(from + PAGE), { disabled: shownTo === found.length })));
  }

  async function route() {
    const wanted = fragment();
    open?.stop();
    open = null;
    if (wanted.has("game")) {
      const number = Number(wanted.get("game"));
      const i = event.games.number.indexOf(number);
      let replay = null, trouble = "It has no replay here.";
      try { replay = i >= 0 ? await replays.find(number) : null; } catch (error) { trouble = String(error.message); }
      main.hidden = true;
      place.hidden = false;
      if (!replay) {
        place.replaceChildren(el("p", {}, el("a", { href: "#games" }, "← All games")), el("h2", { tabindex: -1 }, `Game ${number}`), el("p", { class: "warn" }, trouble));
      } else {
        open = showReplay(place, event, game(i), replay, (hash) => { location.hash = hash; });
        open.at(wanted.get("ply"), wanted.get("as"));
      }
      if (shown !== number) place.querySelector("h2").focus({ preventScroll: true });
      shown = number;
      place.scrollIntoView();
      return;
    }
    const left = shown;
    shown = null;
    main.hidden = false;
    place.hidden = true;
    if (wanted.has("list")) {
      for (const [name, field] of Object.entries(fields)) field.value = wanted.get(name) ?? "";
      listGames(0);
      section.scrollIntoView();
    } else if (location.hash.length > 1) {
      document.getElementById(location.hash.slice(1))?.scrollIntoView();
      if (left !== null) section.querySelector(`a[href="#game=${left}"]`)?.focus({ preventScroll: true });
    }
  }

  for (const [name, value] of Object.entries(remembered.fields ?? {})) fields[name].value = value;
  listGames(remembered.from ?? 0);
  addEventListener("hashchange", route, { signal: gone.signal });
  if (!remembered.again) await route();
  return { leave: () => gone.abort(), get remembered() { return { ...remembered, again: true }; } };
}
if (document.getElementById("games")) globalThis.arenaReady = eventPage();
