export interface AnswerMemoryOptions {
  /** How long an answer is kept: longer than any caller repeats its request. Milliseconds. */
  readonly keepFor?: number;
  /** Maximum number of requests. */
  readonly most?: number;
  /** Maximum total length of all answers, in characters. */
  readonly mostText?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

interface Known<Tenure> {
  readonly tenure: Tenure;
  /** Null while the request is running. */
  text: string | null;
  at: number;
}

/**
 * Remembers the answer to each request, so that the master does not carry out a repeated request again. Answers of an
 * earlier tenure do not count. Beyond the limits it drops the oldest; a repetition of those would run again.
 */
export class AnswerMemory<Tenure> {
  private readonly known = new Map<string, Known<Tenure>>();
  private readonly options: Required<AnswerMemoryOptions>;
  private text = 0;

  constructor(options: AnswerMemoryOptions = {}) {
    this.options = {
      keepFor: 60_000,
      most: 1_000,
      mostText: 16 * 1024 * 1024,
      now: () => performance.now(),
      ...options,
    };
  }

  get size(): number {
    return this.known.size;
  }

  /** The answer; null while the request is running; undefined: not seen yet. */
  find(id: string, tenure: Tenure): string | null | undefined {
    const found = this.known.get(id);
    return found?.tenure === tenure ? found.text : undefined;
  }

  begin(id: string, tenure: Tenure): void {
    this.forget(id);
    this.known.set(id, { tenure, text: null, at: this.options.now() });
    this.trim();
  }

  finish(id: string, tenure: Tenure, text: string): void {
    if (this.find(id, tenure) === undefined) return;
    this.forget(id);
    this.known.set(id, { tenure, text, at: this.options.now() });
    this.text += text.length;
    this.trim();
  }

  /** Forgets the request, so that a repetition runs again. */
  forget(id: string): void {
    this.text -= this.known.get(id)?.text?.length ?? 0;
    this.known.delete(id);
  }

  private trim(): void {
    const { keepFor, most, mostText, now } = this.options;
    const expired = now() - keepFor;
    for (const [id, { text, at }] of this.known)
      if (this.known.size > most || (text !== null && (at <= expired || this.text > mostText)))
        this.forget(id);
  }
}
