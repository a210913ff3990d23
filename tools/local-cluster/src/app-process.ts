import { freePort, startProgram, type RestartOptions } from '@detector-cluster/dev-services';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** One application of this repository as a guarded process: it dies with the process that started it. */
export interface AppProcess {
  /** For people, e.g. `backend-1`. */
  readonly name: string;
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly pid: number;
  /** SIGKILL, and waits until it is dead. */
  crash(): Promise<void>;
  /** SIGTERM, and waits until it has ended. */
  shutdown(): Promise<void>;
  /** Starts it again on the same port after a crash or shutdown. */
  start(): Promise<void>;
  restart(options?: RestartOptions): Promise<void>;
  /** SIGSTOP */
  pause(): void;
  /** SIGCONT */
  resume(): void;
  /** Ends it permanently. */
  stop(): Promise<void>;
  /** Its output so far, standard output and error together. */
  log(): Promise<string>;
}

export interface AppProcessOptions {
  readonly name: string;
  /** Relative to the root of the repository, e.g. `apps/cms-backend/dist/main.js`. */
  readonly script: string;
  /** Program that runs the script. Default: this Node. */
  readonly program?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** Path that answers 200 once the application is up. */
  readonly readyPath: string;
}

/** Starts an application and resolves when it answers. The last lines of its log are in the error if it does not. */
export async function startApp(options: AppProcessOptions): Promise<AppProcess> {
  const port = await freePort();
  const env = {
    PATH: process.env.PATH ?? '',
    NO_COLOR: '1',
    ...options.env,
    HOST: '127.0.0.1',
    PORT: String(port),
  };
  const { server, directory } = await startProgram({
    name: options.name,
    command: () => [
      'env',
      '-i',
      ...Object.entries(env).map(([key, value]) => `${key}=${value}`),
      options.program ?? process.execPath,
      join(root, options.script),
    ],
    ready: () => answers(`http://127.0.0.1:${port}${options.readyPath}`),
    stopSignal: 'TERM',
    timeout: 3_000,
  });
  return {
    name: options.name,
    port,
    url: `http://127.0.0.1:${port}`,
    get pid() {
      return server.pid;
    },
    crash: () => server.crash(),
    shutdown: () => server.shutdown(),
    start: () => server.start(),
    restart: (restart) => server.restart(restart),
    pause: () => server.pause(),
    resume: () => server.resume(),
    stop: () => server.stop(),
    log: () => readFile(join(directory, 'log'), 'utf8'),
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch {
    return false;
  }
}
