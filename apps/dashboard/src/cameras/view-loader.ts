/** How many things are fetched at the same time; the others wait. */
const AT_ONCE = 4;

type Fetch<T> = (name: string, signal: AbortSignal) => Promise<T>;

/** Fetches what is in view, a few things at a time. The latest request comes first, because the reader looks at that place now. */
export class ViewLoader<T> {
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(private readonly fetch: Fetch<T>) {}

  /** Rejects if the fetch fails or `signal` aborts. */
  async load(name: string, signal: AbortSignal): Promise<T> {
    if (this.running >= AT_ONCE) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running++;
    try {
      signal.throwIfAborted();
      return await this.fetch(name, signal);
    } finally {
      const next = this.waiting.pop();
      if (next === undefined) this.running--;
      else next();
    }
  }
}
