/** A pretended browser, for tests of what pages keep. */

/** What a browser keeps for a site, for all of its tabs: it tells the others what one tab changes, if it is told to. */
export class Disk {
  constructor(most = Infinity) {
    this.most = most;
    /** @type {Map<string, string>} */
    this.stored = new Map();
    /** @type {Tab[]} */
    this.tabs = [];
  }

  /** The storage as a tab sees it. */
  seenBy(tab) {
    const { stored } = this;
    const tell = () => queueMicrotask(() => this.tabs.map((other) => other !== tab && other.tell("storage")));
    return {
      get length() {
        return stored.size;
      },
      key: (index) => [...stored.keys()][index] ?? null,
      getItem: (name) => stored.get(name) ?? null,
      setItem: (name, text) => {
        if ([...stored.values(), text].join("").length > this.most) throw new Error("it is full");
        stored.set(name, text);
        tell();
      },
      removeItem: (name) => {
        stored.delete(name);
        tell();
      },
    };
  }
}

/** A tab of a browser: its history, its address, and what it is told. */
export class Tab {
  constructor(hash = "", disk = new Disk(), pathname = "/site/page.html") {
    disk.tabs.push(this);
    this.localStorage = disk.seenBy(this);
    this.entries = [{ state: null, hash }];
    this.at = 0;
    /** @type {Record<string, (() => void)[]>} */
    this.listeners = {};
    this.history = {
      replaceState: (state, _, url) =>
        (this.entries[this.at] = { state: structuredClone(state), hash: this.#hash(url) }),
      pushState: (state, _, url) => {
        this.entries.splice(++this.at, Infinity, { state: structuredClone(state), hash: this.#hash(url) });
      },
    };
    Object.defineProperty(this.history, "state", { get: () => this.entries[this.at].state });
    const tab = this;
    this.location = {
      pathname,
      search: "",
      get hash() {
        return tab.entries[tab.at].hash;
      },
      get href() {
        return `https://example.org/site/page.html${tab.entries[tab.at].hash}`;
      },
    };
    /** @type {Map<string, string>} */
    const stored = (this.session = new Map());
    this.sessionStorage = {
      getItem: (name) => stored.get(name) ?? null,
      setItem: (name, text) => {
        if ([...stored.values(), text].join("").length > 50_000) throw new Error("it is full");
        stored.set(name, text);
      },
      clear: () => stored.clear(),
    };
    this.setTimeout = () => 0;
    this.clearTimeout = () => {};
  }

  #hash(url) {
    return url === undefined ? (this.entries[this.at]?.hash ?? "") : (url.match(/#.*/)?.[0] ?? "");
  }

  addEventListener(name, listener) {
    (this.listeners[name] ??= []).push(listener);
  }

  async tell(name) {
    for (const listener of this.listeners[name] ?? []) await listener();
  }

  async go(step) {
    this.at += step;
    await this.tell("popstate");
  }

  /** Another tab with all that this one has, as browsers duplicate it. */
  duplicated(disk) {
    const other = new Tab("", disk, this.location.pathname);
    other.entries = structuredClone(this.entries);
    other.at = this.at;
    for (const [name, text] of this.session) other.session.set(name, text);
    return other;
  }
}
