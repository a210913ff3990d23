/** What is used of a client of `pg`. */
export interface PgClient {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'notification', listener: (message: { channel: string; payload?: string }) => void): unknown;
  release(destroy?: boolean): void;
}

/** What is used of a pool of `pg`. */
export interface PgPool {
  connect(): Promise<PgClient>;
}
