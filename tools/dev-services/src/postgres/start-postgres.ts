import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Guard } from '../guard/guard.js';
import { ServerProcess } from '../guard/server-process.js';
import { ServerStartError } from '../guard/server-start.error.js';
import { freePort } from '../support/free-port.js';
import { runCommand } from '../support/run-command.js';
import { tempDirectory } from '../support/temp-directory.js';
import { createDatabase } from './create-database.js';
import { enterablePrograms } from './enterable-programs.js';
import { postgresBinaries } from './postgres-binaries.js';
import type { PostgresService } from './postgres-service.js';
import { postgresUser } from './postgres-user.js';

/** Options of {@link startPostgres}. */
export interface StartPostgresOptions {
  /** Default: a free port. If a port given here is taken, no other is tried. */
  port?: number;
  /** More settings, as `name: value`. */
  settings?: Readonly<Record<string, string>>;
}

const ATTEMPTS = 5;

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
 * @throws NoPostgresError without binaries for this platform, ServerStartError if the server does not start.
 */
export async function startPostgres(options: StartPostgresOptions = {}): Promise<PostgresService> {
  const native = await postgresBinaries();
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch(native, options.port ?? (await freePort()), options);
    } catch (error) {
      const retry = error instanceof ServerStartError && error.portTaken && !options.port;
      if (!retry || attempt === ATTEMPTS) throw error;
    }
  }
}

async function launch(native: string, port: number, options: StartPostgresOptions): Promise<PostgresService> {
  const user = postgresUser();
  const directory = await tempDirectory('postgres', user);
  // SIGQUIT is the immediate shutdown, which also frees shared memory. A postmaster kills children that do not obey
  // after 5 s and must live to do it.
  const guard = new Guard({ directory, stopSignal: 'QUIT', timeout: 8_000, user });
  try {
    const programs = await enterablePrograms(native, directory, user);
    const data = join(directory, 'data');
    await initialise(guard, directory, join(programs, 'bin', 'initdb'), data);
    const settings = Object.entries({ ...SETTINGS, ...options.settings });
    const server = new ServerProcess(guard, {
      name: 'postgres',
      directory,
      command: [
        join(programs, 'bin', 'postgres'),
        '-D',
        data,
        '-p',
        String(port),
        ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      ready: (pid) => postgresReady(data, pid),
      crashSignal: 'QUIT',
      forks: true,
    });
    await server.start();
    const version = /\d+(\.\d+)*/.exec(await runCommand(join(native, 'bin', 'postgres'), ['--version']))![0];
    return service(server, { port, directory, version });
  } catch (error) {
    await guard.close();
    throw error;
  }
}

function service(
  server: ServerProcess,
  facts: Pick<PostgresService, 'port' | 'directory' | 'version'>,
): PostgresService {
  const url = `postgresql://postgres@127.0.0.1:${facts.port}/postgres`;
  return {
    ...facts,
    url,
    host: '127.0.0.1',
    get pid() {
      return server.pid;
    },
    createDatabase: (name) => createDatabase(url, name),
    kill: (signal) => (signal ? server.kill(signal) : server.crash()),
    start: () => server.start(),
    restart: (restart) => server.restart(restart),
    pause: () => server.pause(),
    resume: () => server.resume(),
    stop: () => server.stop(),
  };
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
