import type { z } from 'zod';
import type { AppConfig } from '../config/app-config.js';
import type { Prisma } from '../generated/prisma/client.js';
import type { ProblemIssue } from '../http/problem.js';

/** A client, or a transaction of a client. */
export type Client = Prisma.TransactionClient;

export type KindName = 'camera' | 'display' | 'playlist' | 'model';

/** What the models of Prisma have in common; the exact types of their arguments depend on the model. */
interface Rows {
  findMany(args: object): Promise<EntryRow[]>;
  findUnique(args: object): Promise<EntryRow | null>;
  count(args: object): Promise<number>;
  create(args: object): Promise<EntryRow>;
  update(args: object): Promise<EntryRow>;
  delete(args: object): Promise<EntryRow>;
}

export function rowsOf(client: Client, name: KindName): Rows {
  return client[name] as unknown as Rows;
}

export interface EntryRow {
  readonly id: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A field that refers to an entry of another kind by `key`. */
interface Reference {
  readonly field: string;
  readonly to: KindName;
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
  /** Also for paths and messages. */
  readonly name: KindName;
  readonly schemas: EntrySchemas;
  /** The field by which paths name an entry. */
  readonly pathKey: string;
  readonly pathSchema: z.ZodType<string | number>;
  /** The unique field whose value people choose. */
  readonly nameKey: string;
  readonly references: readonly Reference[];
  /** The kind whose `field` refers to this one, and its field for people; null: nothing refers to this kind. */
  readonly users: {
    readonly kind: 'display' | 'playlist';
    readonly field: string;
    readonly nameKey: string;
  } | null;
  /** Without secrets. */
  toView(row: Row): object;
  /** The condition of the rows that a query of the list asks for. */
  where(query: object): object;
  /** Finds the problems of an item that a schema cannot find, with pointers below the item. */
  check?(config: AppConfig): (item: object) => readonly ProblemIssue[];
}

export function valueOf(entry: object, field: string): unknown {
  return (entry as Readonly<Record<string, unknown>>)[field];
}
