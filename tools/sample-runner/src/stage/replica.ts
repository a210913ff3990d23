import { isAlive, LineReader, startProgram, type ServerProcess } from '@detector-cluster/dev-services';
import { join } from 'node:path';

const LOOK = 25;
/** A replica may take this long to hand over before it is killed. Milliseconds. */
const TIMEOUT = 8_000;

export interface ReplicaOptions {
  /** For people, e.g. `replica-1`. */
  readonly name: string;
  /** Absolute path of the script. */
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  /** Receives each line that it writes, standard output and error together. */
  readonly onLine: (replica: Replica, text: string) => void;
}

/** One process of a sample, under a guard: it ends with this process, even if it is frozen. */
export class Replica {
  /** Whether it was ended on purpose. */
  private ended = false;
  private readonly output: LineReader;
  private readonly looking: NodeJS.Timeout;

  private constructor(
    readonly name: string,
    private readonly server: ServerProcess,
    private readonly onLine: ReplicaOptions['onLine'],
  ) {
    this.output = new LineReader(join(server.directory, 'log'));
    this.looking = setInterval(() => this.read(), LOOK);
  }

  static async start({ name, script, env, onLine }: ReplicaOptions): Promise<Replica> {
    const variables = Object.entries({ NO_COLOR: '1', ...env }).map(([key, value]) => `${key}=${value}`);
    const server = await startProgram({
      name,
      command: () => ['env', ...variables, process.execPath, script],
      // The output of the replica shows when it is ready.
      ready: async () => true,
      stopSignal: 'TERM',
      timeout: TIMEOUT,
    });
    return new Replica(name, server, onLine);
  }

  /** @throws Error if it has ended by itself */
  check(): void {
    if (this.ended || isAlive(this.server.pid)) return;
    this.read();
    throw new Error(`${this.name} has ended`);
  }

  /** SIGKILL. */
  async crash(): Promise<void> {
    this.ended = true;
    await this.server.crash();
  }

  /** SIGTERM, and waits until it has ended. */
  async shutdown(): Promise<void> {
    this.ended = true;
    await this.server.shutdown();
  }

  /** SIGSTOP. */
  pause(): void {
    this.server.pause();
  }

  /** SIGCONT. */
  resume(): void {
    this.server.resume();
  }

  /** Ends it permanently, like `shutdown` if it still runs. */
  async stop(): Promise<void> {
    await this.shutdown();
    clearInterval(this.looking);
    this.read();
    this.output.close();
    await this.server.stop();
  }

  private read(): void {
    for (const line of this.output.read()) this.onLine(this, line);
  }
}
