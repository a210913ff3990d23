import { withQuery } from './api-client.js';
import { client } from './cluster-api.js';
import type { ListQuery, Page } from './paged-answer.js';

/** What the service stores; the names of its collections. */
export type EntryKindName = 'cameras' | 'displays' | 'playlists' | 'models';

/** An entry as the service shows it: without secrets. */
export interface Entry {
  readonly etag: string;
  readonly [field: string]: unknown;
}

/** Subscriptions on one worker; null: on none, or the master did not answer. */
export interface WorkerCount {
  readonly workerUrl: string | null;
  readonly subscriptions: number;
}

/** What a change does to the subscriptions. */
export interface Impact {
  readonly starts: readonly WorkerCount[];
  readonly restarts: readonly WorkerCount[];
  readonly stops: readonly WorkerCount[];
  readonly otherSteps: number;
  /** The first displays that will have no subscription. */
  readonly skipped: readonly {
    readonly displayId: string;
    readonly reason: string;
    readonly detail: string;
  }[];
  readonly skippedTotal: number;
  readonly complete: boolean;
  /** Why the workers are not known; null: they are. */
  readonly problem: string | null;
}

export interface PutAnswer {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly items: readonly {
    readonly key: string;
    readonly outcome: 'created' | 'changed' | 'unchanged';
    /** Version before the change; null: it did not exist. */
    readonly etag: string | null;
  }[];
  /** Null: it was no dry run. */
  readonly impact: Impact | null;
}

export interface RemovalAnswer {
  readonly etag: string;
  readonly usedBy: {
    readonly total: number;
    readonly items: readonly { readonly kind: string; readonly key: string }[];
  };
  readonly impact: Impact;
}

/** An entry to add or to change. */
export type Item = Readonly<Record<string, unknown>>;

const pathOf = (kind: EntryKindName, key: string | number) =>
  `/api/${kind}/${encodeURIComponent(String(key))}`;

/** The calls that manage entries. Every failure is an `ApiError`. */
export const entriesApi = {
  list: (kind: EntryKindName, query: ListQuery) => client.get<Page<Entry>>(withQuery(`/api/${kind}`, query)),
  preview: (kind: EntryKindName, items: readonly Item[]) =>
    client.put<PutAnswer>(`/api/${kind}?dryRun=true`, { items }),
  /** @param requestKey the same for each repetition of one request */
  put: (kind: EntryKindName, items: readonly Item[], requestKey: string) =>
    client.put<PutAnswer>(`/api/${kind}`, { items }, { 'idempotency-key': requestKey }),
  removal: (kind: EntryKindName, key: string | number) =>
    client.get<RemovalAnswer>(`${pathOf(kind, key)}/removal`),
  remove: (kind: EntryKindName, key: string | number, etag: string, detach: boolean) =>
    client.delete(withQuery(pathOf(kind, key), { detach }), { 'if-match': `"${etag}"` }),
};

/** For `crypto.randomUUID`, the page would have to come over HTTPS. */
export function newRequestKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
