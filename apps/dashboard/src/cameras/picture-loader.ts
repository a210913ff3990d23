/** How many pictures are fetched at the same time; the others wait. */
const AT_ONCE = 4;

export interface Picture {
  readonly blob: Blob;
  /** Whether it shows the moment of the requested detection, not the latest moment. */
  readonly ofMoment: boolean;
}

type Fetch = (path: string, signal: AbortSignal) => Promise<Picture>;

/** Fetches a few pictures at a time. The latest request comes first, because the reader looks at that picture now. */
export class PictureLoader {
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(private readonly fetch: Fetch) {}

  /** Rejects if the fetch fails or `signal` aborts. */
  async load(path: string, signal: AbortSignal): Promise<Picture> {
    if (this.running >= AT_ONCE) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running++;
    try {
      signal.throwIfAborted();
      return await this.fetch(path, signal);
    } finally {
      const next = this.waiting.pop();
      if (next === undefined) this.running--;
      else next();
    }
  }
}
