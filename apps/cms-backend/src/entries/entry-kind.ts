import type { ChangedRows } from '@detector-cluster/detector-cluster';
import type { Prisma } from '../generated/prisma/client.js';
import type { ProblemIssue, Users } from '../http/problem/problem.js';

/** A client, or a transaction of a client. */
export type Client = Prisma.TransactionClient;

/** What the models of Prisma have in common; the exact types of their arguments depend on the model. */
export interface Rows<Row> {
  findMany(args: object): Promise<Row[]>;
  findUnique(args: object): Promise<Row | null>;
  create(args: object): Promise<Row>;
  update(args: object): Promise<Row>;
  delete(args: object): Promise<Row>;
}

export interface EntryRow {
  readonly id: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A field that refers to another entry by `key`. */
export interface Reference {
  readonly field: string;
  readonly rows: (client: Client) => Rows<object>;
  readonly key: string;
}

/** One of the four kinds of entries: cameras, displays, playlists and models. */
export interface EntryKind<Row extends EntryRow, View extends object> {
  /** For messages: `camera`. */
  readonly name: string;
  readonly rows: (client: Client) => Rows<Row>;
  /** The field by which paths name an entry. */
  readonly pathKey: string;
  /** The unique field whose value people choose. */
  readonly nameKey: string;
  /** Without secrets. */
  readonly toView: (row: Row) => View;
  /** Fields that a new entry must have. */
  readonly required: readonly string[];
  readonly references: readonly Reference[];
  /** Problems of an item that a schema cannot find, with pointers below the item. */
  readonly check?: (item: object) => readonly ProblemIssue[];
  /** The entries that refer to it; null: nothing refers to this kind. */
  readonly users: ((client: Client, row: Row) => Promise<Users>) | null;
  /** The given rows, as the hint which part of the desired state to read again. */
  readonly changed: (rows: readonly Row[]) => ChangedRows;
}

/** For `users`: how many are listed. */
export const USERS_LISTED = 20;

/** The displays that refer to an entry. */
export async function displaysWith(client: Client, where: Prisma.DisplayWhereInput): Promise<Users> {
  const displays = await client.display.findMany({
    where,
    select: { displayId: true },
    take: USERS_LISTED,
    orderBy: { displayId: 'asc' },
  });
  return {
    total: await client.display.count({ where }),
    items: displays.map(({ displayId }) => ({ kind: 'display', key: displayId })),
  };
}
