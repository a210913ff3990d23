import { readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '../debian/find-program.js';
import { type GuardedServer, startGuarded } from '../support/start-guarded.js';
import { askSocket } from '../support/ask-socket.js';
import { freePort } from '../support/free-port.js';

/** A private PgBouncer in front of a PostgreSQL server. */
export interface PgBouncerService extends GuardedServer {
  /** The address of a database of the server, through the pooler. */
  through(databaseUrl: string): string;
}

/** Options of {@link startPgBouncer}. */
export interface StartPgBouncerOptions {
  /** When a session of the server returns to the pool: after each transaction, or when the client disconnects. */
  mode: 'transaction' | 'session';
  /** Sessions of the server for each database and user. Default 20, as that of PgBouncer. */
  poolSize?: number;
}

/**
 * Starts a private PgBouncer in front of the server of `url`, which must need no password. Its other settings are the defaults of the
 * program. It ends with this process at the latest, even if this process is killed.
 * @throws ProgramUnavailableError without a server program, ServerStartError if the server does not start.
 */
export async function startPgBouncer(
  url: string,
  { mode, poolSize = 20 }: StartPgBouncerOptions,
): Promise<PgBouncerService> {
  const program = await findProgram({
    name: 'pgbouncer',
    package: 'pgbouncer',
    folder: 'usr/sbin',
    programsOnly: true,
  });
  const { hostname, port: upstream, username } = new URL(url);
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', unprivilegedUser()] : [];
  const server = await startGuarded({ name: 'pgbouncer' }, async (directory) => {
    const port = await freePort();
    const [file, users] = [join(directory, 'pgbouncer.ini'), join(directory, 'users.txt')];
    await chmod(directory, 0o755);
    await writeFile(users, `"${username}" ""\n`);
    await writeFile(
      file,
      `[databases]
* = host=${hostname} port=${upstream}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = ${poolSize}
`,
    );
    return {
      port,
      url: `postgresql://${username}@127.0.0.1:${port}/postgres`,
      command: [...program, ...user, file],
      ready: () => pgBouncerReady(port),
    };
  });
  return Object.assign(server, {
    through: (databaseUrl: string) => {
      const through = new URL(databaseUrl);
      through.host = `127.0.0.1:${server.port}`;
      return through.href;
    },
  });
}

/** The user with the id that systems reserve for one without rights. */
function unprivilegedUser(): string {
  const rows = readFileSync('/etc/passwd', 'utf8').split('\n');
  return rows.map((line) => line.split(':')).find(([, , uid]) => uid === '65534')?.[0] ?? 'daemon';
}

/** Tries a user that the file does not list. A PostgreSQL server gives another answer. */
function pgBouncerReady(port: number): Promise<boolean> {
  const parameters = '\0\x03\0\0user\0unlisted\0database\0pgbouncer\0\0';
  return askSocket({
    port,
    question: `\0\0\0${String.fromCharCode(parameters.length + 4)}${parameters}`,
    judge: (answer) =>
      answer.endsWith('\0\0') ? answer.includes('"trust" authentication failed') : undefined,
  });
}
