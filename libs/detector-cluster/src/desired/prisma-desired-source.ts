import type { ChangedRows } from './changed-rows.js';
import { desiredFromDisplays, displaySelect, type DisplayRow } from './desired-from-displays.js';
import type { DesiredState, DesiredStateSource } from './desired-state-source.js';

/** The arguments of the query. */
export interface DisplayQuery {
  select: typeof displaySelect;
  orderBy: { displayId: 'asc' };
}

/**
 * The part of a Prisma client or transaction that reading needs. The result type is open, because Prisma derives the type of
 * the rows from the arguments, which no fixed type can express. Each row is checked anyway.
 */
export interface DisplayReader {
  display: { findMany(args: DisplayQuery): PromiseLike<readonly unknown[]> };
}

/** A Prisma client whose schema has displays with a camera and a playlist with a model. */
export interface PrismaDesiredClient extends DisplayReader {
  /** Prisma's method, called as `InteractiveTransaction`. Only open parameters match its overloads. */
  $transaction?: (...args: never[]) => PromiseLike<unknown>;
}

type InteractiveTransaction = (
  work: (tx: DisplayReader) => Promise<readonly DisplayRow[]>,
  options: { isolationLevel: 'RepeatableRead'; maxWait: number; timeout: number },
) => Promise<readonly DisplayRow[]>;

export interface PrismaDesiredSourceOptions {
  /** How long to wait for a connection. Default 5,000 ms. */
  maxWait?: number;
  /** How long the snapshot may take. Default 20,000 ms. */
  timeout?: number;
}

/** The filter of a Prisma query; its exact type depends on the schema. */
interface DisplayFilter {
  readonly OR: readonly object[];
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

/**
 * Reads all displays in one snapshot. Prisma fetches each relation with a separate statement, so without a transaction a
 * write in between gives a state that never existed.
 */
export class PrismaDesiredSource implements DesiredStateSource {
  constructor(
    private readonly client: PrismaDesiredClient,
    private readonly options: PrismaDesiredSourceOptions = {},
  ) {}

  read(): Promise<DesiredState> {
    return this.query();
  }

  readSome(rows: ChangedRows): Promise<DesiredState> {
    return this.query(decidedBy(rows));
  }

  private async query(where?: DisplayFilter): Promise<DesiredState> {
    const query: DisplayQuery = {
      select: displaySelect,
      orderBy: { displayId: 'asc' },
      ...(where && { where }),
    };
    const readDisplays = async (reader: DisplayReader) =>
      (await reader.display.findMany(query)) as readonly DisplayRow[];
    const { maxWait = 5_000, timeout = 20_000 } = this.options;
    const transaction = this.client.$transaction as InteractiveTransaction | undefined;
    const rows = transaction
      ? await transaction.call(this.client, readDisplays, {
          isolationLevel: 'RepeatableRead',
          maxWait,
          timeout,
        })
      : await readDisplays(this.client);
    return desiredFromDisplays(rows);
  }
}
