// Leaders: the hexagon with its figures, arrows for what moved, the cards beside it.

const SIGNS = {
  leader: "LE", acrobat: "AC", archer: "AR", assassin: "AS", brewmaster: "BM", bruiser: "BR", claw_launcher: "CL", cub: "CU",
  hermit: "HE", illusionist: "IL", jailer: "JA", manipulator: "MA", nemesis: "NE", protector: "PR", rider: "RI",
  royal_guard: "RG", vizier: "VI", wanderer: "WA",
};
const HEX = 40;
const HEX_NAMES = [..."ABCDEFG"].flatMap((file, i) => Array.from({ length: 7 - Math.abs(i - 3) }, (_, n) => `${file}${n + 1}`));
const RECRUITS = [new Set("A1 B1 C1 D1 E1 F1 G1".split(" ")), new Set("A4 B5 C6 D7 E6 F5 G4".split(" "))];

// The middle of a space. Axial coordinates as on the game's page (L1); north, which is seat 1, is up.
function hexAt(name, turned) {
  const q = "ABCDEFG".indexOf(name[0]) - 3;
  const r = Math.min(3, 3 - q) - Number(name[1]) + 1;
  const [x, y] = [1.5 * q * HEX, Math.sqrt(3) * (r + q / 2) * HEX];
  return turned ? [-x, -y] : [x, y];
}

const corners = (x, y, size) => [0, 1, 2, 3, 4, 5].map((i) => `${(x + size * Math.cos((i * Math.PI) / 3)).toFixed(1)},${(y + size * Math.sin((i * Math.PI) / 3)).toFixed(1)}`).join(" ");

function figure(piece, turned) {
  const [x, y] = hexAt(piece.at, turned);
  const [kind] = ABILITIES[piece.character];
  const up = (piece.seat === 0) !== Boolean(turned) ? -1 : 1;
  const name = `${nice(piece.character)} of seat ${piece.seat} on ${piece.at}${piece.acted ? ", has acted" : ""}: ${kind}, ${ABILITIES[piece.character][1]}`;
  return svg("g", { class: `figure p${piece.seat} k-${kind.toLowerCase()} ${piece.acted ? "acted" : ""}`, role: "img", "aria-label": name },
    svg("title", {}, name),
    svg("path", { class: "nose", d: `M${x - 9},${y + up * 20} L${x},${y + up * 32} L${x + 9},${y + up * 20}Z` }),
    svg("circle", { cx: x, cy: y, r: 24 }),
    svg("text", { class: "sign", x, y: y + 1 }, piece.character === "leader" ? "★" : SIGNS[piece.character]),
    svg("text", { class: "name", x, y: y + 14 }, nice(piece.character).split(" ")[0]));
}

function arrow([x1, y1], [x2, y2], kind) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const [tx, ty] = [x2 - ux * 22, y2 - uy * 22];
  return svg("g", { class: `arrow ${kind}`, "aria-hidden": "true" },
    svg("line", { x1: x1 + ux * 8, y1: y1 + uy * 8, x2: tx, y2: ty }),
    svg("path", { d: `M${x2 - ux * 8},${y2 - uy * 8} L${tx - uy * 9},${ty + ux * 9} L${tx + uy * 9},${ty - ux * 9}Z` }));
}

function cardList(title, cards, pick) {
  return el("div", { class: "cardlist" }, el("h4", {}, title),
    cards.length ? el("ul", {}, cards.map((card) => el("li", { "data-pick": pick && `card:${card}` },
      el("strong", {}, nice(card)), el("span", { class: "quiet" }, ` ${(ABILITIES[card] ?? ["", ""])[0]}: ${(ABILITIES[card] ?? ["", ""])[1]}`)))) : el("p", { class: "quiet" }, "none"));
}

const leaders = {
  draw(view, { viewer, who, events, range }) {
    const turned = viewer === 1;
    const marks = new Set(events.flatMap((e) => [e.at, e.cub_at]).filter(Boolean));
    const reached = new Set(range?.split(" "));
    const spaces = HEX_NAMES.map((name) => {
      const [x, y] = hexAt(name, turned);
      const side = RECRUITS.findIndex((set) => set.has(name));
      return svg("g", { class: `hex r${side} ${marks.has(name) ? "marked" : ""} ${reached.has(name) ? "reached" : ""}`, "data-pick": `space:${name}`, "data-name": name },
        svg("polygon", { points: corners(x, y, HEX - 1.5) }), svg("text", { class: "at", x: x - 19, y: y + 31 }, name));
    });
    const arrows = events.flatMap((e) => {
      const kind = e.type === "nemesis_moved" ? "reaction" : e.action?.type === "ability" ? "ability" : "plain";
      return (e.moved ?? (e.from ? [e] : [])).map((m) => arrow(hexAt(m.from, turned), hexAt(m.to, turned), kind));
    });
    const turn = view.phase === "over" ? "The game is over." : `Turn ${view.turn + 1}, phase: ${view.phase}`;
    const board = svg("svg", { class: "hexboard", viewBox: "-228 -252 456 504", role: "group", "aria-label": "The board" },
      spaces, view.pieces.map((piece) => figure(piece, turned)), arrows);
    const tag = (seat) => (view.seat_to_act === seat ? el("span", { class: "tag" }, "to act") : null);
    const side = (seat) => el("div", { class: `seat ${view.seat_to_act === seat ? "acting" : ""}` },
      el("div", { class: "who" }, el("span", { class: `dot p${seat}` }), who(seat), ` (${seat ? "north" : "south"})`, tag(seat)),
      el("p", { class: "held" }, listed(view.cards[seat].map(nice))));
    return el("div", { class: "leaders" },
      el("div", { class: "boardside" }, side(turned ? 0 : 1), board, side(turned ? 1 : 0)),
      el("div", { class: "cardside" }, el("p", { class: "turn" }, turn, view.repeats > 1 ? ` · position seen ${view.repeats} times` : ""),
        cardList("Market", view.market, true), view.deck_count ? el("p", { class: "quiet" }, `${view.deck_count} cards in the deck`) : null,
        view.banished.length ? cardList("Banished", view.banished) : null,
        el("p", { class: "legend small" }, el("span", { class: "key plain" }), " move ", el("span", { class: "key ability" }), " ability ", el("span", { class: "key reaction" }), " reaction · tinted: what the ability could reach · ★ Leader · pale: has acted")));
  },

  paths(action, view) {
    const at = (character) => `space:${view.pieces.find((piece) => piece.character === character && piece.seat === view.seat_to_act)?.at}`;
    const spaces = [action.target, action.to, action.target_to].filter(Boolean).map((space) => `space:${space}`);
    switch (action.type) {
      case "move": case "ability": return [[at(action.character), ...spaces]];
      case "nemesis_move": return [[`space:${action.to}`], [at("nemesis"), `space:${action.to}`]];
      case "recruit": return [[`card:${action.card}`, `space:${action.at}`, ...(action.cub_at ? [`space:${action.cub_at}`] : [])]];
      case "banish": return [[`card:${action.card}`]];
      default: return [];
    }
  },
};
