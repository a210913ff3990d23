import { EventEmitter, once } from 'node:events';
import { ObjectId, type Document } from 'bson';

/** An error that the server answers with. */
export class MongoServerFailure extends Error {
  constructor(
    readonly code: number,
    readonly codeName: string,
    message: string,
  ) {
    super(message);
  }
}

/** Documents in insertion order. A capped collection overwrites the oldest. */
export class TestCollection {
  readonly documents: { readonly position: number; document: Document }[] = [];
  private readonly news = new EventEmitter().setMaxListeners(0);
  private position = 0;

  constructor(readonly options: { readonly capped?: boolean; readonly max?: number } = {}) {}

  insert(given: Document): void {
    const { _id: id = new ObjectId(), ...rest } = given;
    const document = { _id: id as unknown, ...rest };
    if (this.documents.some(({ document: { _id: other } }) => String(other) === String(id)))
      throw new MongoServerFailure(11000, 'DuplicateKey', `duplicate key ${String(id)}`);
    this.documents.push({ position: ++this.position, document });
    if (this.options.max !== undefined && this.documents.length > this.options.max) this.documents.shift();
    this.news.emit('inserted');
  }

  /** Returns the documents after a position, for a tailable cursor. */
  after(position: number): { position: number; documents: Document[] } {
    const oldest = this.documents[0]?.position ?? position + 1;
    if (position > 0 && oldest > position + 1)
      throw new MongoServerFailure(
        136,
        'CappedPositionLost',
        'the documents after the cursor were overwritten',
      );
    const found = this.documents.filter((entry) => entry.position > position);
    return { position: this.position, documents: found.map(({ document }) => document) };
  }

  /** Resolves when a document is inserted, or after `timeout` ms. */
  async wait(timeout: number, signal: AbortSignal): Promise<void> {
    // Not AbortSignal.timeout within AbortSignal.any: Node 20 may collect it before it fires.
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), timeout);
    const either = AbortSignal.any([signal, over.signal]);
    await once(this.news, 'inserted', { signal: either }).catch(() => undefined);
    clearTimeout(timer);
  }
}
