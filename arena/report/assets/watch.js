// A running event: the page of the event, put in again whenever the server has news.

async function serverReplay(number) {
  return ask("replay", { number });
}

async function watch() {
  const live = document.getElementById("live");
  const state = document.getElementById("state");
  const place = document.getElementById("replay");
  let page = null, seen = null, over = false;

  async function refresh() {
    const open = [...live.querySelectorAll("details")].map((details) => details.open);
    const focused = document.activeElement?.id;
    const found = await ask("event");
    const parsed = new DOMParser().parseFromString(found.html, "text/html");
    live.replaceChildren(...parsed.body.childNodes);
    if (open.length) live.querySelectorAll("details").forEach((details, i) => { details.open = open[i] ?? details.open; });
    page?.leave();
    page = await eventPage(page?.remembered);
    document.title = live.querySelector("h1").textContent;
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    ({ version: seen, over } = found);
    state.textContent = over ? "The event has ended: this is its last word." : "Live: this page follows the event.";
  }

  while (!over) {
    try {
      const { version } = await ask("news", { seen });
      if (version !== seen && place.hidden) await refresh();
      await pause(place.hidden ? 1000 : 500);
    } catch (error) {
      state.textContent = `No news: ${error.message}`;
      await pause(3000);
    }
  }
}
globalThis.arenaReady = watch();
