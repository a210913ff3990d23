/** How long an answer is kept: longer than any caller repeats its request. Milliseconds. */
const KEEP_FOR = 60_000;

const MAX_REQUESTS = 1_000;

/** Maximum total length of all answers, in characters. */
const MAX_TEXT = 16 * 1024 * 1024;

interface Known<Term extends object> {
  /** Weak, because it refers to all that the master knows, and answers outlive it. */
  readonly term: WeakRef<Term>;
  /** Null while the request is running. */
  text: string | null;
  at: number;
}

/**
 * Remembers the answer to each request, so that the master does not carry out a repeated request again. Answers of an
 * earlier term do not count. Beyond the limits it drops the oldest; a repetition of those would run again.
 */
export class AnswerMemory<Term extends object> {
  private readonly known = new Map<string, Known<Term>>();
  private text = 0;

  /** @param now monotonic milliseconds */
  constructor(private readonly now = () => performance.now()) {}

  get size(): number {
    return this.known.size;
  }

  /** The answer; null while the request is running; undefined: not seen yet. */
  find(id: string, term: Term): string | null | undefined {
    const found = this.known.get(id);
    return found?.term.deref() === term ? found.text : undefined;
  }

  begin(id: string, term: Term): void {
    this.forget(id);
    this.known.set(id, { term: new WeakRef(term), text: null, at: this.now() });
    this.trim();
  }

  finish(id: string, term: Term, text: string): void {
    if (this.find(id, term) === undefined) return;
    this.forget(id);
    this.known.set(id, { term: new WeakRef(term), text, at: this.now() });
    this.text += text.length;
    this.trim();
  }

  /** Forgets the request, so that a repetition runs again. */
  forget(id: string): void {
    this.text -= this.known.get(id)?.text?.length ?? 0;
    this.known.delete(id);
  }

  private trim(): void {
    const expired = this.now() - KEEP_FOR;
    for (const [id, { text, at }] of this.known)
      if (this.known.size > MAX_REQUESTS || (text !== null && (at <= expired || this.text > MAX_TEXT)))
        this.forget(id);
  }
}
