import { Long, type Document } from 'bson';
import { MongoServerFailure, TestCollection } from './collections.js';
import { evaluate, matches } from './expressions.js';

interface TestCursor {
  readonly collection: TestCollection;
  readonly namespace: string;
  position: number;
}

/** The commands that leaderfeed and the driver itself use. */
export class MongoCommands {
  private readonly collections = new Map<string, TestCollection>();
  private readonly cursors = new Map<string, TestCursor>();
  private cursorIds = 0;

  /** @param signal Aborts when the caller's connection has closed. */
  async run(command: Document, signal: AbortSignal): Promise<Document> {
    const [name] = Object.keys(command);
    try {
      const handler = this.handlers[name!];
      if (!handler) throw new MongoServerFailure(59, 'CommandNotFound', `no such command: '${name}'`);
      return { ...(await handler(command, signal)), ok: 1 };
    } catch (error) {
      const { code = 8, codeName = 'UnknownError', message } = error as Partial<MongoServerFailure>;
      return { ok: 0, code, codeName, errmsg: message };
    }
  }

  private readonly handlers: Record<
    string,
    (command: Document, signal: AbortSignal) => Document | Promise<Document>
  > = {
    hello: () => this.greeting(),
    ismaster: () => this.greeting(),
    isMaster: () => this.greeting(),
    ping: () => ({}),
    endSessions: () => ({}),
    create: (command) => this.create(command),
    listCollections: (command) => this.list(command),
    insert: (command) => this.insert(command),
    find: (command) => this.find(command),
    getMore: (command, signal) => this.getMore(command, signal),
    killCursors: ({ cursors }) => {
      for (const id of cursors as unknown[]) this.cursors.delete(String(id));
      return { cursorsKilled: cursors };
    },
    findAndModify: (command) => this.findAndModify(command),
    aggregate: (command) => this.aggregate(command),
    drop: (command) => {
      this.collections.delete(namespaceOf(command, 'drop'));
      return {};
    },
  };

  private greeting(): Document {
    return {
      helloOk: true,
      isWritablePrimary: true,
      ismaster: true,
      maxBsonObjectSize: 16_777_216,
      maxMessageSizeBytes: 48_000_000,
      maxWriteBatchSize: 100_000,
      localTime: new Date(),
      logicalSessionTimeoutMinutes: 30,
      minWireVersion: 0,
      maxWireVersion: 21,
      readOnly: false,
    };
  }

  private create(command: Document): Document {
    const namespace = namespaceOf(command, 'create');
    if (this.collections.has(namespace))
      throw new MongoServerFailure(48, 'NamespaceExists', `collection ${namespace} already exists`);
    this.collections.set(namespace, new TestCollection(command as { capped?: boolean; max?: number }));
    return {};
  }

  private list({ $db, filter }: Document): Document {
    const name = (filter as Document).name as string;
    const found = this.collections.get(`${$db}.${name}`);
    const entry = { name, type: 'collection', options: { capped: found?.options.capped ?? false } };
    return firstBatch(`${$db}.$cmd.listCollections`, found ? [entry] : []);
  }

  private insert(command: Document): Document {
    const collection = this.open(namespaceOf(command, 'insert'));
    const writeErrors: Document[] = [];
    for (const [index, document] of (command.documents as Document[]).entries())
      try {
        collection.insert(document);
      } catch (error) {
        const { code, message } = error as MongoServerFailure;
        writeErrors.push({ index, code, errmsg: message });
      }
    const n = command.documents.length - writeErrors.length;
    return writeErrors.length > 0 ? { n, writeErrors } : { n };
  }

  private find(command: Document): Document {
    const namespace = namespaceOf(command, 'find');
    const collection = this.open(namespace);
    const { position, documents } = collection.after(0);
    if (!command.tailable) return firstBatch(namespace, documents);
    if (!collection.options.capped)
      throw new MongoServerFailure(2, 'BadValue', 'tailable cursor requested on non capped collection');
    // In an empty collection the server has no position to continue from.
    if (documents.length === 0) return firstBatch(namespace, []);
    const id = Long.fromNumber(++this.cursorIds);
    this.cursors.set(id.toString(), { collection, namespace, position });
    return firstBatch(namespace, documents, id);
  }

  private async getMore(command: Document, signal: AbortSignal): Promise<Document> {
    const id = Long.fromNumber(Number(command.getMore));
    const cursor = this.cursors.get(id.toString());
    if (!cursor) throw new MongoServerFailure(43, 'CursorNotFound', `cursor id ${id.toString()} not found`);
    const { collection, namespace: ns } = cursor;
    let next = collection.after(cursor.position);
    if (next.documents.length === 0) {
      await collection.wait(Number(command.maxTimeMS ?? 1_000), signal);
      next = collection.after(cursor.position);
    }
    cursor.position = next.position;
    return { cursor: { id, ns, nextBatch: next.documents } };
  }

  private findAndModify(command: Document): Document {
    const collection = this.open(namespaceOf(command, 'findAndModify'));
    const now = new Date();
    const entry = collection.documents.find(({ document }) =>
      matches(command.query as Document, document, now),
    );
    if (!entry) return { value: null, lastErrorObject: { n: 0, updatedExisting: false } };
    for (const { $set } of command.update as Document[]) {
      const before = entry.document;
      const set = Object.entries($set as Document).map(([name, value]) => [
        name,
        evaluate(value, before, now),
      ]);
      entry.document = { ...before, ...Object.fromEntries(set) };
    }
    return { value: entry.document, lastErrorObject: { n: 1, updatedExisting: true } };
  }

  private aggregate(command: Document): Document {
    const namespace = namespaceOf(command, 'aggregate');
    const now = new Date();
    const [{ $match }, { $addFields }] = command.pipeline as [Document, Document];
    const found = this.open(namespace)
      .after(0)
      .documents.filter((document) => matches($match as Document, document, now))
      .map((document) => {
        const added = Object.entries($addFields as Document).map(([name, value]) => [
          name,
          evaluate(value, document, now),
        ]);
        return { ...document, ...Object.fromEntries(added) };
      });
    return firstBatch(namespace, found);
  }

  /** As on the server, the first write creates it. */
  private open(namespace: string): TestCollection {
    const collection = this.collections.get(namespace) ?? new TestCollection();
    this.collections.set(namespace, collection);
    return collection;
  }
}

const namespaceOf = (command: Document, name: string) => `${command.$db}.${command[name]}`;

const firstBatch = (ns: string, documents: Document[], id = Long.ZERO): Document => ({
  cursor: { id, ns, firstBatch: documents },
});
