import { AsyncLocalStorage } from 'node:async_hooks';
import { rowKeyOf, type ChangedRows } from '../changed-rows.js';
import { publisherOf, type Publish, type SubscriptionTriggersOptions } from './publisher.js';
import { CauseSink } from './cause-sink.js';
import {
  causeOf,
  DEFAULT_MODELS,
  isNestedWrite,
  isRecord,
  NESTED_WRITES,
  writtenFields,
  type WatchedModels,
} from './change-filter.js';

/** False only in tests, which show the behaviour if Prisma no longer shows which transaction a query belongs to. */
export interface Internals {
  readonly transactionIds: boolean;
}

/**
 * Interactive transactions are known by their id, which is right also for a `tx` that is used from elsewhere and for a write of the root
 * client inside of the callback. Only where Prisma gives no id, and for arrays, whose statements run inside of one call, the asynchronous
 * context decides.
 */
class Triggers {
  private readonly byId = new Map<string | number, CauseSink>();
  private readonly context = new AsyncLocalStorage<CauseSink>();

  constructor(
    private readonly publish: Publish,
    private readonly models: WatchedModels,
    private readonly internals: Internals,
  ) {}

  async query({ model, operation, args, query, __internalParams }: QueryHookInput): Promise<unknown> {
    const cause = causeOf(model, operation, args, this.models);
    // Looked up before the query: a batch's own promises resolve whether it commits or not.
    const sink = cause === null ? undefined : this.sinkOf(__internalParams);
    try {
      const result = await query(args);
      this.note(cause, sink, cause === null ? null : this.rowsOf(model, operation, args, result));
      return result;
    } catch (error) {
      // This also holds for an array: if the answer to COMMIT is missing, each of its statements fails.
      if (mayHaveCommitted(error)) this.note(cause, sink, null);
      throw error;
    }
  }

  /**
   * @param client the outermost extended client, or the `tx` on which a nested transaction is begun
   * @param work of an interactive transaction, or the statements of a batch
   */
  async transaction(
    client: unknown,
    original: TransactionFunction,
    work: TransactionWork | readonly unknown[],
    options: unknown,
  ): Promise<unknown> {
    const sink = new CauseSink();
    const outer = this.outerOf(client as TransactionClient);
    let leave: (() => void) | undefined;
    let completed = typeof work !== 'function';
    const observed: TransactionWork = async (tx) => {
      const id = this.internals.transactionIds ? transactionIdOf(tx) : undefined;
      if (id !== undefined) leave = this.enter(id, sink);
      const result = await this.context.run(sink, () => (work as TransactionWork)(tx));
      completed = true;
      return result;
    };
    try {
      const results = await (typeof work === 'function'
        ? original.call(client, observed, options)
        : this.context.run(sink, () => original.call(client, work, options)));
      this.settle(sink, outer);
      return results;
    } catch (error) {
      if (completed && mayHaveCommitted(error)) this.settle(sink, outer);
      else sink.drop();
      throw error;
    } finally {
      // Only now, because a `tx` that was passed on may still write until COMMIT has ended.
      leave?.();
    }
  }

  private sinkOf(internal: QueryHookInput['__internalParams']): CauseSink | undefined {
    if (internal === undefined || !this.internals.transactionIds) return this.context.getStore();
    const { transaction } = internal;
    if (transaction?.kind === 'itx') return this.byId.get(transaction.id);
    return transaction?.kind === 'batch' ? this.context.getStore() : undefined;
  }

  private note(cause: string | null, sink: CauseSink | undefined, rows: ChangedRows | null): void {
    if (cause === null) return;
    const change = { causes: [cause], rows };
    if (sink) sink.add(change);
    else this.publish(change);
  }

  /** Only the models of the reference schema are known well enough. */
  private rowsOf(...write: Parameters<typeof writtenRows>): ChangedRows | null {
    return this.models === DEFAULT_MODELS ? writtenRows(...write) : null;
  }

  /** The transaction on whose `tx` another one is begun. */
  private outerOf(client: TransactionClient): CauseSink | undefined {
    if (!this.internals.transactionIds) return this.context.getStore();
    const id = transactionIdOf(client);
    return id === undefined ? undefined : this.byId.get(id);
  }

  /** Collects the later changes of the transaction `id` into `sink`. The returned function restores the previous sink. */
  private enter(id: string | number, sink: CauseSink): () => void {
    const before = this.byId.get(id);
    this.byId.set(id, sink);
    return () => {
      if (before) this.byId.set(id, before);
      else this.byId.delete(id);
    };
  }

  /** A nested transaction is final only with the one around it. */
  private settle(sink: CauseSink, outer: CauseSink | undefined): void {
    sink.commit((change) => (outer ? outer.add(change) : this.publish(change)));
  }
}

/** {@link subscriptionTriggers} with its assumptions about Prisma as a parameter. */
export function triggersExtension(options: SubscriptionTriggersOptions, internals: Internals) {
  const publish = publisherOf(options);
  return <C>(client: C): C => {
    const triggers = new Triggers(publish, options.models ?? DEFAULT_MODELS, internals);
    const base = client as unknown as ExtendableClient;
    // Only the function is kept: called on the outermost client, it keeps later extensions and, on a `tx`, the connection.
    const original = base.$transaction;
    return base.$extends({
      name: 'detector-cluster-triggers',
      query: { $allOperations: (input) => triggers.query(input) },
      client: {
        $transaction(this: unknown, work, transactionOptions) {
          return triggers.transaction(this, original, work, transactionOptions);
        },
      },
    }) as C;
  };
}

/**
 * Prisma client extension that reports writes to what decides which cameras are watched: once for each transaction, after it
 * has committed, never when it was rolled back, for single operations, interactive and nested transactions, batch arrays and
 * raw SQL. Publishing neither delays nor fails a write.
 *
 * Apply it first: `prisma.$extends(subscriptionTriggers({ trigger })).$extends(others)`. The type of the client is kept.
 *
 * Not seen: writes through a client without the extension, of other programs, and of the database itself (cascades, triggers).
 */
export function subscriptionTriggers(options: SubscriptionTriggersOptions): <C>(client: C) => C {
  return triggersExtension(options, { transactionIds: true });
}

/** Where Prisma 7 keeps the id of an interactive transaction on its client. Not documented; tests pin it. */
export const TRANSACTION_SCOPE = Symbol.for('prisma.client.transaction.scope_context');

/** Where Prisma 6 keeps it. */
export const TRANSACTION_ID = Symbol.for('prisma.client.transaction.id');

const transactionIdOf = (client: TransactionClient): string | number | undefined =>
  client[TRANSACTION_SCOPE]?.txId ?? client[TRANSACTION_ID];

/** The arguments of Prisma's query hook that the extension uses. */
export interface QueryHookInput {
  readonly model?: string | undefined;
  readonly operation: string;
  readonly args: unknown;
  readonly query: (args: unknown) => Promise<unknown>;
  /** Not documented; tests pin it. */
  readonly __internalParams?: {
    readonly transaction?: { readonly kind: 'itx' | 'batch'; readonly id: string | number } | undefined;
  };
}

/** The client inside an interactive transaction. */
export interface TransactionClient {
  readonly [TRANSACTION_SCOPE]?: { readonly txId?: string | number } | undefined;
  readonly [TRANSACTION_ID]?: string | number | undefined;
}

type TransactionWork = (tx: TransactionClient) => Promise<unknown>;
type TransactionFunction = (
  this: unknown,
  work: TransactionWork | readonly unknown[],
  options?: unknown,
) => Promise<unknown>;

/** The part of a Prisma client that an extension uses; structural, so that any generated client fits. */
interface ExtendableClient {
  $transaction: TransactionFunction;
  $extends(extension: {
    name: string;
    query: { $allOperations(input: QueryHookInput): Promise<unknown> };
    client: { $transaction: TransactionFunction };
  }): unknown;
}

/** Operations that return every row which they write. */
const RETURNING = new Set(['create', 'createManyAndReturn', 'update', 'updateManyAndReturn', 'upsert']);

/**
 * The rows that an operation has written, read from its result; null if the result does not show all of them. A row whose key may have changed
 * has two, and only the new one is known. A deleted camera, playlist or model leaves displays behind that the database changes itself.
 */
export function writtenRows(
  model: string | undefined,
  operation: string,
  args: unknown,
  result: unknown,
): ChangedRows | null {
  const known = model === undefined ? undefined : rowKeyOf(model);
  if (known === undefined) return null;
  const [rows, key] = known;
  if (!RETURNING.has(operation) && !(operation === 'delete' && model === 'Display')) return null;
  if (isRecord(args)) {
    // The result has other fields. It may even be a row of a relation, as that of `playlist.update(…).model()`.
    if (isRecord(args.select) && args.select[key] !== true) return null;
    const updated =
      operation === 'upsert' ? [args.update] : operation.startsWith('update') ? [args.data] : [];
    if (updated.flat().some((data) => isRecord(data) && data[key] !== undefined)) return null;
  }
  const allowed = model === 'Display' ? ['connect', 'disconnect'] : ['connect'];
  const nested = writtenFields(args).filter(([, value]) => isNestedWrite(value));
  if (
    nested.some(([, value]) =>
      NESTED_WRITES.some((name) => name in (value as object) && !allowed.includes(name)),
    )
  )
    return null;
  const keys = [result].flat().map((row) => (isRecord(row) ? row[key] : undefined));
  const isKey = (value: unknown) =>
    typeof value === 'string' || (typeof value === 'number' && rows !== 'displays' && rows !== 'cameras');
  return keys.every(isKey) ? { [rows]: keys } : null;
}

/** Nothing was sent, the statement was refused, or the transaction was rolled back. */
const NOT_COMMITTED = /^P(?:2\d{3}|6\d{3}|100[01]|1003|1010)$/;

/** Prisma's codes for other errors of the database or its driver: P2010 for raw SQL, P2039 for the rest. */
const DATABASE_SAID = new Set(['P2010', 'P2039']);

/** The error of the driver adapter if it has no connection. */
const NOTHING_SENT = new Set([
  'AuthenticationFailed',
  'DatabaseAccessDenied',
  'DatabaseDoesNotExist',
  'DatabaseNotReachable',
  'TlsConnectionError',
  'TooManyConnections',
]);

interface DriverCause {
  readonly kind?: unknown;
  readonly originalCode?: unknown;
}

interface PrismaError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly cause?: DriverCause;
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: DriverCause } };
}

/** Any SQLSTATE except those of a lost connection (08), of "completion unknown" (40003) and of a server that shuts down (57P). */
const isRefusal = (code: unknown): boolean =>
  typeof code === 'string' && /^(?!08|40003|57P)[0-9A-Z]{5}$/.test(code);

/**
 * Whether a failed write may still have been committed: the connection was lost, or the answer did not come, after
 * the statement or the COMMIT had been sent.
 */
export function mayHaveCommitted(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return true;
  const { name, code } = error as PrismaError;
  if (name === 'PrismaClientValidationError' || name === 'PrismaClientInitializationError') return false;
  const said = driverCause(error);
  if (said !== undefined) return !NOTHING_SENT.has(said.kind as string) && !isRefusal(said.originalCode);
  return !(typeof code === 'string' && NOT_COMMITTED.test(code));
}

/** Returns the error of the driver: Prisma passes on that of a COMMIT as it is, and wraps that of a statement. */
function driverCause({ name, code, cause, meta }: PrismaError): DriverCause | undefined {
  if (name === 'DriverAdapterError') return cause ?? {};
  return DATABASE_SAID.has(code as string) ? (meta?.driverAdapterError?.cause ?? {}) : undefined;
}
