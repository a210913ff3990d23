/** The part of a `pg` connection that the feed uses; structural, so that applications without a feed do not need its types. */
export interface PgClient {
  readonly connection: { readonly stream: { destroy(): unknown } };
  connect(): Promise<unknown>;
  query<Row>(sql: string): Promise<{ readonly rows: Row[] }>;
  on(event: 'error' | 'notification' | 'end', listener: (value: never) => void): unknown;
  end(): Promise<void>;
}

export interface PgModule {
  Client: new (config: Readonly<Record<string, unknown>>) => PgClient;
}

/** The optional package `pg` cannot be loaded, and the option `changeFeed` needs it. */
export class MissingPgError extends Error {
  override readonly name = 'MissingPgError';
  readonly code = 'MISSING_PG';

  constructor(cause: unknown) {
    super(
      `changeFeed: needs the package "pg" (version 8), which cannot be loaded: ${(cause as Error).message}. Run npm install pg, or leave the option out`,
      { cause },
    );
  }
}

/** @throws MissingPgError */
export async function loadPg(load: () => Promise<unknown> = () => import('pg')): Promise<PgModule> {
  try {
    const loaded = (await load()) as { default?: PgModule } & PgModule;
    return loaded.default ?? loaded;
  } catch (error) {
    throw new MissingPgError(error);
  }
}
