import { tempDirectory } from '@detector-cluster/dev-services';
import { get, startApp, type AppProcess } from '@detector-cluster/local-cluster';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface WorkerHostOptions {
  readonly name: string;
  readonly workers: number;
  /** Environment of every worker, e.g. `DETECTIONS_PER_SECOND`. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** A process that runs many reference workers. Each keeps its port over restarts. */
export class WorkerHost {
  private constructor(
    readonly process: AppProcess,
    readonly ports: readonly number[],
    private readonly directory: string,
  ) {}

  static async start({ name, workers, env = {} }: WorkerHostOptions): Promise<WorkerHost> {
    const directory = await tempDirectory(name);
    const host = await startApp({
      name,
      script: 'tools/chaos/dist/support/worker-host.child.js',
      readyPath: '/',
      env: {
        ...env,
        HOST_NAME: name,
        WORKERS: String(workers),
        PORTS_FILE: join(directory, 'ports.json'),
        CONTROL: 'on',
      },
    });
    return new WorkerHost(host, await get<number[]>(host.url, '/'), directory);
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await rm(this.directory, { recursive: true, force: true });
  }
}
