/** The part of a client of `pg` that the feed uses. */
export interface PgClient {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'notification', listener: (message: { channel: string; payload?: string }) => void): unknown;
  release(destroy?: boolean): void;
}

/** The part of a pool of `pg` that the feed uses. */
export interface PgPool {
  connect(): Promise<PgClient>;
}
