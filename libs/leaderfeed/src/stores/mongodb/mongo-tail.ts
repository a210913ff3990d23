import type { Collection, Document, FindCursor } from 'mongodb';
import { toError } from '@detector-cluster/election/util';

/** How long the server waits for a new document before it answers that there is none. Milliseconds. */
export const LONG_POLL = 1_000;

/** More documents than a collection of leaderfeed holds, so that the first answer contains all of them. */
const BATCH = 10_000;

/** Follows a capped collection from now on. */
export class MongoTail {
  private readonly cursor: FindCursor<Document>;
  private stopped = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    collection: Collection,
    private readonly heard: (document: Document) => void,
    private readonly failed: (error: Error) => void,
  ) {
    const options = { tailable: true, awaitData: true, maxAwaitTimeMS: LONG_POLL, batchSize: BATCH };
    this.cursor = collection.find({}, options);
  }

  /**
   * Resolves with false if the collection is empty, because a cursor on an empty collection ends at once. The collection keeps old
   * documents: the first answer contains only those, so they are skipped.
   */
  async start(): Promise<boolean> {
    if (!(await this.cursor.tryNext())) return false;
    this.cursor.readBufferedDocuments();
    this.running = this.follow();
    return true;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.cursor.close().catch(() => undefined);
    await this.running;
  }

  private async follow(): Promise<void> {
    while (!this.stopped)
      try {
        const document = await this.cursor.tryNext();
        if (this.stopped) return;
        if (document) this.heard(document);
        else if (this.cursor.closed) throw new Error('the server ended the cursor');
      } catch (error) {
        if (this.stopped) return;
        this.stopped = true;
        // Do not wait: the connection may be dead.
        void this.cursor.close().catch(() => undefined);
        this.failed(toError(error));
      }
  }
}
