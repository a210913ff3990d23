import type { Collection, Document, FindCursor } from 'mongodb';
import { toError } from '@detector-cluster/election/util';

/** How long the server waits for a new document before it says that there is none. Milliseconds. */
export const LONG_POLL = 1_000;

/** More documents than a collection of leaderfeed keeps, so that the first answer has all of them. */
const BATCH = 10_000;

/** Follows a capped collection from the present on. */
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
   * Resolves with whether there is something to follow: a cursor on an empty collection ends at once. The collection keeps old
   * documents: those that the first answer brings are history.
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
        // Do not wait for a link that has gone silent.
        void this.cursor.close().catch(() => undefined);
        this.failed(toError(error));
      }
  }
}
