import type { ChangedRows } from './changed-rows.js';
import { DatabaseSnapshot, type TransactionClient } from './database-snapshot.js';
import { desiredFromDisplays, displaySelect, type DisplayRow } from './desired-from-displays.js';
import type { DesiredState, DesiredStateSource } from './desired-state-source.js';
import { nextTurn } from '../shared/time-slices.js';
import { isPositionHidden, readPosition, type PositionReader } from './read-position.js';

/** The arguments of the query. */
export interface DisplayQuery {
  select: typeof displaySelect;
  orderBy: { displayId: 'asc' };
  take: number;
}

/**
 * The part of a Prisma client or transaction that reading needs. The result type is open, because Prisma derives the type of
 * the rows from the arguments, which no fixed type can express. Each row is checked anyway.
 */
export interface DisplayReader extends PositionReader {
  display: { findMany(args: DisplayQuery): PromiseLike<readonly unknown[]> };
}

/** A Prisma client whose schema has displays with a camera and a playlist with a model. */
export interface PrismaDesiredClient extends DisplayReader, TransactionClient {}

export interface PrismaDesiredSourceOptions {
  /** How long to wait for a connection. Default 5,000 ms. */
  maxWait?: number;
  /** How long a page of 250 displays may take. Default 20,000 ms. */
  timeout?: number;
}

/** Prisma converts a page without a pause: some 5 ms for so many rows. */
const PAGE = 250;

/** The filter of a Prisma query; its exact type depends on the schema. */
interface DisplayFilter {
  readonly OR?: readonly object[];
  readonly displayId?: { readonly gte: unknown };
}

const among = (values: readonly unknown[] = [], where: (among: { in: readonly unknown[] }) => object) =>
  values.length === 0 ? [] : [where({ in: values })];

/** The displays whose subscriptions depend on the rows. */
function decidedBy({ displays, cameras, playlists, models }: ChangedRows): DisplayFilter {
  return {
    OR: [
      ...among(displays, (displayId) => ({ displayId })),
      ...among(cameras, (cameraIdentifier) => ({ camera: { cameraIdentifier } })),
      ...among(playlists, (id) => ({ playlist: { id } })),
      ...among(models, (id) => ({ playlist: { model: { id } } })),
    ],
  };
}

const keyOf = (row: unknown): unknown => (row as Partial<DisplayRow> | null)?.displayId;

/**
 * Reads all displays in one snapshot, page by page. Prisma fetches each page, and each relation of it, with a separate statement, so
 * without a transaction a write in between gives a state that never existed.
 */
export class PrismaDesiredSource implements DesiredStateSource {
  private isPositionHidden = false;

  constructor(
    private readonly client: PrismaDesiredClient,
    private readonly options: PrismaDesiredSourceOptions = {},
  ) {}

  read(): AsyncGenerator<DesiredState, void> {
    return this.pages({});
  }

  readSome(rows: ChangedRows): AsyncGenerator<DesiredState, void> {
    return this.pages(decidedBy(rows));
  }

  private async *pages(filter: DisplayFilter): AsyncGenerator<DesiredState, void> {
    const { snapshot, position } = await this.open();
    const page = (rows: readonly unknown[]): DesiredState => ({
      ...desiredFromDisplays(rows as readonly DisplayRow[]),
      position,
    });
    try {
      let where = filter;
      for (let take = PAGE; ;) {
        const query = { select: displaySelect, orderBy: { displayId: 'asc' }, take, where } as const;
        const rows = await snapshot.read((reader) => reader.display.findMany(query));
        // Prisma has just converted the rows, without a pause.
        await nextTurn();
        if (rows.length < take) {
          yield page(rows);
          return;
        }
        // The next page begins with the last display of this one: in a schema of your own it may have several rows.
        const last = keyOf(rows.at(-1));
        if (last === null || last === undefined)
          throw new TypeError('displayId: must not be null, because displays are read in its order');
        const end = rows.findIndex((row) => keyOf(row) === last);
        if (end > 0) yield page(rows.slice(0, end));
        take = end > 0 ? PAGE : 2 * take;
        where = { ...filter, displayId: { gte: last } };
      }
    } finally {
      snapshot.close();
    }
  }

  /** Without transactions each statement sees another state, which has no position. */
  private async open(): Promise<{ snapshot: Snapshot; position: DesiredState['position'] }> {
    const { maxWait = 5_000, timeout = 20_000 } = this.options;
    const snapshot = await DatabaseSnapshot.open<DisplayReader & TransactionClient>(
      this.client,
      maxWait,
      timeout,
    );
    if (this.isPositionHidden || this.client.$transaction === undefined)
      return { snapshot, position: undefined };
    try {
      return { snapshot, position: await snapshot.read(readPosition) };
    } catch (error) {
      snapshot.close();
      if (!isPositionHidden(error)) throw error;
      // The transaction does not survive the error.
      this.isPositionHidden = true;
      return await this.open();
    }
  }
}

type Snapshot = DatabaseSnapshot<DisplayReader>;
