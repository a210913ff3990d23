import { freePort, startProgram, type ServerProcess } from '@detector-cluster/dev-services';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The reference service as images run it. Relative to the root of the repository. */
export const BACKEND_SCRIPT = 'apps/cms-backend/dist/bundle/main.js';

/** The reference worker as images run it. Relative to the root of the repository. */
export const WORKER_SCRIPT = 'apps/detector-worker/dist/bundle/main.js';

/** One application of this repository as a guarded process. */
export interface AppProcess extends ServerProcess {
  /** For people, e.g. `backend-1`. */
  readonly name: string;
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
}

export interface AppProcessOptions {
  readonly name: string;
  /** Relative to the root of the repository, e.g. {@link BACKEND_SCRIPT}. */
  readonly script: string;
  /** Program that runs the script. Default: this Node. */
  readonly program?: string | undefined;
  /** Command that runs the program in surroundings of its own, and becomes it. Default none. */
  readonly prefix?: readonly string[] | undefined;
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
  const url = `http://127.0.0.1:${port}`;
  const server = await startProgram({
    name: options.name,
    command: () => [
      'env',
      '-i',
      ...Object.entries(env).map(([key, value]) => `${key}=${value}`),
      ...(options.prefix ?? []),
      options.program ?? process.execPath,
      join(root, options.script),
    ],
    ready: () => answers(`${url}${options.readyPath}`),
    stopSignal: 'TERM',
  });
  return Object.assign(server, { name: options.name, port, url });
}

const endOfLog = async (app: AppProcess, characters: number): Promise<string> =>
  `--- ${app.name}\n${(await app.log().catch(String)).slice(-characters)}`;

/** The last log lines of each process, to help find a cause. @param characters at most this many of each */
export async function endsOfLogs(apps: readonly AppProcess[], characters = 6_000): Promise<string> {
  const texts = await Promise.all(
    // One that did not start is undefined.
    apps.flatMap((app: AppProcess | undefined) => (app === undefined ? [] : [endOfLog(app, characters)])),
  );
  return texts.join('\n');
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch {
    return false;
  }
}
