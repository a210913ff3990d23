import { signalWithin } from '@detector-cluster/election/internal';
import { EventEmitter, once } from 'node:events';
import { type Document, Long, ObjectId } from 'bson';

/** An error that the server answers with. */
class MongoServerFailure extends Error {
  constructor(
    readonly code: number,
    readonly codeName: string,
    message: string,
  ) {
    super(message);
  }
}

/** Documents in insertion order. A capped collection overwrites the oldest. */
class TestCollection {
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
    const over = signalWithin(timeout, signal);
    await once(this.news, 'inserted', { signal: over }).catch(() => undefined);
  }
}

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

type Operator = (args: unknown[]) => unknown;

const number = (value: unknown): number => (value instanceof Date ? value.getTime() : Number(value));

/** Missing is not null, as for the server. */
const same = (a: unknown, b: unknown): boolean => {
  if (a === null || b === null || a === undefined || b === undefined) return a === b;
  return a instanceof Date || typeof a === 'number' ? number(a) === number(b) : a === b;
};

const OPERATORS: Readonly<Record<string, Operator>> = {
  $and: (args) => args.every(Boolean),
  $or: (args) => args.some(Boolean),
  $eq: ([a, b]) => same(a, b),
  $ne: ([a, b]) => !same(a, b),
  $lte: ([a, b]) => number(a) <= number(b),
  $gt: ([a, b]) => number(a) > number(b),
  $max: (args) => Math.max(...args.map(number)),
  $toLong: ([value]) => number(value),
  $cond: ([condition, yes, no]) => (condition ? yes : no),
  $add(args) {
    const sum = args.map(number).reduce((a, b) => a + b, 0);
    return args.some((arg) => arg instanceof Date) ? new Date(sum) : sum;
  },
};

/** Evaluates an aggregation expression for a document. */
function evaluate(expression: unknown, document: Document, now: Date): unknown {
  if (expression === '$$NOW') return now;
  if (typeof expression === 'string' && expression.startsWith('$')) return document[expression.slice(1)];
  if (!isObject(expression)) return expression;
  const [[name, operand] = ['', undefined]] = Object.entries(expression);
  if (name === '$literal') return operand;
  const operator = OPERATORS[name];
  if (!operator) throw new Error(`the test server does not know the operator ${name}`);
  return operator([operand].flat().map((arg) => evaluate(arg, document, now)));
}

/** Whether a document matches a filter of equalities and `$expr`. */
function matches(filter: Document, document: Document, now: Date): boolean {
  return Object.entries(filter).every(([name, value]) => {
    if (name === '$expr') return Boolean(evaluate(value, document, now));
    return same(document[name] ?? null, value ?? null);
  });
}

function isObject(value: unknown): value is Document {
  return (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof Date) &&
    !(value instanceof Long) &&
    !('_bsontype' in value)
  );
}
