import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Guard } from '../support/guard.js';
import { ServerStartError } from '../support/server-process.js';
import { type GuardedServer, startGuarded } from '../support/start-guarded.js';
import { freePort } from '../support/free-port.js';
import { runCommand } from '../support/run-command.js';
import { createDatabase } from './create-database.js';
import { postgresBinaries } from './postgres-binaries.js';
import { enterablePrograms, postgresUser } from './postgres-user.js';

/**
 * A private PostgreSQL server with the directories `data` and `log`. Its URL is that of the database `postgres`, as the superuser
 * `postgres`, who needs no password. A crash is an immediate shutdown, with recovery at the next start.
 */
export interface PostgresService extends GuardedServer {
  readonly version: string;
  /** Creates a database and returns its address. */
  createDatabase(name: string): Promise<string>;
}

/** Data must survive a crash of the server, but not of the machine, so that no write waits for a disk. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // A socket file would be in the system's temporary folder, outside of our directory.
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  shared_buffers: '64MB',
};

/**
 * Starts a private server with an empty cluster. It ends with this process at the latest, even if this process is killed. If
 * this process is root, the server runs as another user, because Postgres refuses root.
 * @throws ProgramUnavailableError without binaries for this platform, ServerStartError if the server does not start.
 */
export function startPostgres(): Promise<PostgresService> {
  return launchPostgres(async (guard, data, { directory, programs }) => {
    await initialise(guard, directory, join(programs, 'bin', 'initdb'), data);
    return {};
  });
}

/** Makes the data of a server in `data`, and returns further settings. */
type Prepare = (
  guard: Guard,
  data: string,
  at: { readonly directory: string; readonly programs: string },
) => Promise<Readonly<Record<string, string>>>;

/** Starts a private server with the data that `prepare` makes. See {@link startPostgres}. */
export async function launchPostgres(prepare: Prepare): Promise<PostgresService> {
  const native = await postgresBinaries();
  const user = postgresUser();
  // SIGQUIT is the immediate shutdown, which also frees shared memory. A postmaster kills children that do not obey
  // after 5 s and must live to do it.
  const kind = { stopSignal: 'QUIT', crashSignal: 'QUIT', timeout: 8_000 } as const;
  const server = await startGuarded(
    { name: 'postgres', ...kind, forks: true, user },
    async (directory, guard) => {
      const port = await freePort();
      const programs = await enterablePrograms(native, directory, user);
      const data = join(directory, 'data');
      const settings = { ...SETTINGS, ...(await prepare(guard, data, { directory, programs })) };
      const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      return {
        port,
        url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
        command: [join(programs, 'bin', 'postgres'), '-D', data, '-p', String(port), ...flags],
        ready: (pid) => postgresReady(data, pid),
      };
    },
  );
  const version = /\d+(\.\d+)*/.exec(await runCommand(join(native, 'bin', 'postgres'), ['--version']))![0];
  return Object.assign(server, {
    version,
    createDatabase: (name: string) => createDatabase(server.url, name),
  });
}

async function initialise(guard: Guard, directory: string, initdb: string, data: string): Promise<void> {
  const code = await guard.prepare([
    initdb,
    `--pgdata=${data}`,
    '--username=postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--no-locale',
    '--no-sync',
    '--no-data-checksums',
    '--no-instructions',
  ]);
  if (code === 0) return;
  const log = await readFile(join(directory, 'log'), 'utf8').catch(() => '');
  throw new ServerStartError('postgres', `initdb ended with code ${code}`, log.trim());
}

/** The postmaster writes its state into its lock file; the first line is its process id, the eighth its state. */
async function postgresReady(data: string, pid: number): Promise<boolean> {
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}
