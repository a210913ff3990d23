import { tempDirectory } from './temp-directory.js';
import { Guard, type GuardOptions } from './guard.js';
import { ServerProcess, ServerStartError, type ServerRecipe } from './server-process.js';

/** A private server on 127.0.0.1. */
export interface GuardedServer extends ServerProcess {
  /** URL in the form that clients accept; the start function sets it. */
  readonly url: string;
  readonly host: string;
  /** Port for clients. */
  readonly port: number;
}

/** A program, and how it ends. */
export interface GuardedKind
  extends Pick<ServerRecipe, 'name'>, Partial<Pick<ServerRecipe, 'crashSignal' | 'forks'>> {
  /** See {@link GuardOptions}; `'KILL'` by default. */
  stopSignal?: GuardOptions['stopSignal'];
  /** How long the program may take to stop before it is killed, in milliseconds; 3,000 by default. */
  timeout?: number;
  user?: GuardOptions['user'];
}

/** A program of one process, see {@link ServerRecipe}. */
export interface ProgramRecipe extends GuardedKind, Pick<ServerRecipe, 'ready'> {
  /** Makes what the program needs in its directory, and returns the command. */
  command(directory: string): readonly string[] | Promise<readonly string[]>;
}

/**
 * Starts a program. It ends with this process, also if it is frozen or this process is killed.
 * @throws ServerStartError
 */
export async function startProgram({ command, ready, ...kind }: ProgramRecipe): Promise<ServerProcess> {
  const prepare = async (directory: string) => ({ command: await command(directory), ready });
  return (await launch(kind, prepare)).server;
}

/** One attempt to start, on ports that seemed free. */
export interface GuardedAttempt extends Pick<ServerRecipe, 'command' | 'ready'> {
  port: number;
  url: string;
}

const ATTEMPTS = 5;

/**
 * Starts a server under a guard. If another program has taken a port, it calls `prepare` again.
 * @param attempts 1 if `prepare` always returns the same port
 * @throws ServerStartError
 */
export async function startGuarded(
  kind: GuardedKind,
  prepare: (directory: string, guard: Guard) => Promise<GuardedAttempt>,
  attempts = ATTEMPTS,
): Promise<GuardedServer> {
  for (let left = attempts; ; left--) {
    try {
      const {
        server,
        attempt: { url, port },
      } = await launch(kind, prepare);
      return Object.assign(server, { url, host: '127.0.0.1', port });
    } catch (error) {
      if (!(error instanceof ServerStartError && error.portTaken) || left <= 1) throw error;
    }
  }
}

type Attempt = Pick<ServerRecipe, 'command' | 'ready'>;

async function launch<Prepared extends Attempt>(
  { name, stopSignal = 'KILL', timeout = 3_000, user, crashSignal = 'KILL', forks = false }: GuardedKind,
  prepare: (directory: string, guard: Guard) => Promise<Prepared>,
) {
  const directory = await tempDirectory(name, user);
  const guard = new Guard({ directory, stopSignal, timeout, user });
  try {
    const attempt = await prepare(directory, guard);
    const { command, ready } = attempt;
    const server = new ServerProcess(guard, { name, directory, command, ready, crashSignal, forks });
    await server.start();
    return { server, attempt };
  } catch (error) {
    await guard.close();
    throw error;
  }
}
