// What the page was given: packed as arena/report/shards.py packs it, positions as arena/report/delta.py tells them.

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

function patched(before, change) {
  if (Array.isArray(change)) return change[0];
  const after = Array.isArray(before) ? [...before] : { ...before };
  for (const [key, inner] of Object.entries(change)) {
    if (inner === 0) delete after[key];
    else after[key] = patched(before?.[key], inner);
  }
  return after;
}

function wholes(series) {
  const found = [];
  for (const change of series) found.push(found.length ? patched(found.at(-1), change) : change);
  return found;
}

// Replays by number: from this page, from the scripts beside it, or from the server that it came from.
const replays = {
  cache: new Map(),
  waiting: new Map(),
  beside: null,

  async find(number) {
    if (!this.cache.has(number)) {
      const inline = document.querySelector(`script[data-shard~="${number}"]`);
      const found = inline ? await unpacked(inline.textContent) : await this.elsewhere(number);
      for (const [key, replay] of Object.entries(found ?? {})) this.cache.set(Number(key), replay);
    }
    return this.cache.get(number);
  },

  async elsewhere(number) {
    if (typeof serverReplay === "function") return serverReplay(number);
    const list = document.getElementById("beside");
    if (!list) return null;
    this.beside ??= await unpacked(list.textContent);
    const place = this.beside.shards.findIndex((numbers) => numbers.includes(number));
    return place < 0 ? null : unpacked(await this.load(place));
  },

  load(place) {
    return new Promise((resolve, reject) => {
      this.waiting.set(place, resolve);
      const src = `${encodeURIComponent(this.beside.folder)}/${place}.js`;
      document.head.append(el("script", { src, onerror: () => reject(new Error(`${src} is not there`)) }));
    });
  },
};
globalThis.arenaShard = (place, data) => replays.waiting.get(place)?.(data);
