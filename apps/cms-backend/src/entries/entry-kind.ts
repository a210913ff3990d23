import type { ChangedRows } from '@detector-cluster/detector-cluster';
import type { z } from 'zod';
import type { AppConfig } from '../config/app-config.js';
import type { Prisma } from '../generated/prisma/client.js';
import type { ProblemIssue, Users } from '../http/problem.js';

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

/** The schemas of the routes of a kind. */
export interface EntrySchemas {
  /** An entry in an answer. */
  readonly view: z.ZodObject;
  readonly create: z.ZodObject;
  readonly update: z.ZodObject;
  /** An item of a bulk request. */
  readonly put: z.ZodObject;
  /** The query of the list. */
  readonly query: z.ZodObject;
}

/** One of the four kinds of entries: cameras, displays, playlists and models. */
export interface EntryKind<Row extends EntryRow = EntryRow> {
  /** For paths and messages: `camera`. */
  readonly name: string;
  readonly schemas: EntrySchemas;
  readonly rows: (client: Client) => Rows<Row>;
  /** The field by which paths name an entry. */
  readonly pathKey: string;
  readonly pathSchema: z.ZodType<string | number>;
  /** The unique field whose value people choose. */
  readonly nameKey: string;
  /** Fields that a new entry must have. */
  readonly required: readonly string[];
  readonly references: readonly Reference[];
  /** The entries that refer to one of this kind; null: nothing refers to this kind. */
  readonly users: { readonly called: string; find(client: Client, row: Row): Promise<Users> } | null;
  /** Without secrets. */
  toView(row: Row): object;
  /** The condition of the rows that a query of the list asks for. */
  where(query: object): object;
  /** Finds the problems of an item that a schema cannot find, with pointers below the item. */
  check?(config: AppConfig): (item: object) => readonly ProblemIssue[];
  /** The given rows, as the hint which part of the desired state to read again. */
  changed(rows: readonly Row[]): ChangedRows;
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
