/** The part of a connected client of `pg` that these functions use. */
export interface SessionClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: unknown[] }>;
}

/** What needs a session of its own, and reaches the server through a pooler such as PgBouncer. */
export class PoolerError extends Error {
  override readonly name = 'PoolerError';
  readonly code = 'POOLER';
}

/** The process id that the server or a pooler has sent at the start. */
const idOf = (client: SessionClient) => (client as { processID?: number | null }).processID ?? 0;

/**
 * Whether the client is connected to the server itself. A pooler invents the process id of the session, because it uses many sessions
 * of the server for it, so the server has another one.
 */
export async function isDirect(client: SessionClient): Promise<boolean> {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  return (rows[0] as { pid: number }).pid === idOf(client);
}

/** @throws PoolerError */
export async function requireDirect(client: SessionClient, need: string): Promise<void> {
  if (!(await isDirect(client))) throw new PoolerError(need);
}

/**
 * Gives the session its settings, where the client is connected to the server itself. A pooler shares its sessions, so a setting would
 * reach other clients. As parameters of the start, poolers refuse most settings.
 *
 * @param required the settings without which the session must not be used
 * @throws PoolerError
 */
export async function beginSession(
  client: SessionClient,
  settings: Readonly<Record<string, string>>,
  required: readonly string[] = [],
): Promise<void> {
  const names = Object.keys(settings);
  if (names.length === 0) return;
  // One statement, so that the check and the settings concern the same session.
  const { rows } = await client.query(
    'select set_config(name, value, false) from unnest($1::text[], $2::text[]) as given (name, value) where pg_backend_pid() = $3::bigint',
    [names, Object.values(settings), idOf(client)],
  );
  if (rows.length === 0 && required.length > 0)
    throw new PoolerError(
      `the URL sets ${required.join(', ')}, which a pooler cannot keep for one client: remove it from the URL and set it for the user (ALTER ROLE … SET), or give a direct address`,
    );
}
