import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Guard } from './guard.js';
import { childProcesses, isAlive, waitUntilStopped } from './process-state.js';

/** A server did not start. `log` holds the end of its output. */
export class ServerStartError extends Error {
  override readonly name = 'ServerStartError';

  constructor(
    server: string,
    reason: string,
    readonly log: string,
  ) {
    super(`${server} did not start: ${reason}${log ? `\n${log}` : ''}`);
  }

  /** Another program took the port between the search for a free one and the start. */
  get portTaken(): boolean {
    return /address already in use/i.test(this.log);
  }
}

/** How one kind of server is started and stopped. */
export interface ServerRecipe {
  /** For messages: `redis`, `postgres`. */
  name: string;
  directory: string;
  command: readonly string[];
  /** Whether it accepts connections; called until it does. */
  ready(pid: number): Promise<boolean>;
  /** Signal of a crash: the server saves nothing and notifies no client. */
  crashSignal: 'KILL' | 'QUIT';
  /** Whether the server has child processes, which a pause must stop too. */
  forks: boolean;
}

/** Finds hangs only: on a busy machine a backend has taken more than 20 s. Milliseconds. */
const START_TIMEOUT = 120_000;

/**
 * A program under a guard, with its life cycle and the faults for tests. It keeps its port and directory, and ends with this process
 * at the latest, even if this process is killed.
 */
export class ServerProcess {
  private current = 0;
  private paused = false;
  /** Whether it was started, and no caller has ended it since. */
  private wanted = false;

  constructor(
    private readonly guard: Guard,
    private readonly recipe: ServerRecipe,
  ) {}

  /** The directory with its output, `log`, and its data, if any. */
  get directory(): string {
    return this.recipe.directory;
  }

  /** Process id of the server, or of the last one while it is down. */
  get pid(): number {
    return this.current;
  }

  /** Whether it has ended by itself. */
  get failed(): boolean {
    return this.wanted && !isAlive(this.current);
  }

  /** Starts a stopped server again, on the same port and with the data in its directory. */
  async start(): Promise<void> {
    if (this.current !== 0 && isAlive(this.current)) throw new Error(`${this.recipe.name} runs already`);
    const logged = (await this.log()).length;
    const pid = await this.guard.start(this.recipe.command);
    this.current = pid;
    this.wanted = true;
    const deadline = performance.now() + START_TIMEOUT;
    while (!(await this.recipe.ready(pid))) {
      const late = performance.now() > deadline;
      if (late || !isAlive(pid)) {
        const reason = late ? `not ready after ${START_TIMEOUT} ms` : 'it ended';
        throw new ServerStartError(
          this.recipe.name,
          reason,
          (await this.log()).slice(logged).slice(-4_000).trim(),
        );
      }
      await sleep(10);
    }
  }

  /** Ends the server like a crash, and waits until it is dead. It can be started again. */
  async crash(): Promise<void> {
    this.beforeEnd();
    await this.guard.halt(this.recipe.crashSignal);
  }

  /** Asks the server to shut down, and waits until it has. It can be started again. */
  async shutdown(): Promise<void> {
    this.beforeEnd();
    await this.guard.halt('TERM');
  }

  /** Ends the server like a crash, and starts it again after `downFor` milliseconds. */
  async restart({ downFor = 0 } = {}): Promise<void> {
    await this.crash();
    await sleep(downFor);
    await this.start();
  }

  /** The same as {@link crash}. */
  kill(): Promise<void> {
    return this.crash();
  }

  /**
   * Freezes the server: connections stay open and silent. The kernel accepts new ones, which get no answer. Returns when all
   * threads of the server have stopped.
   */
  pause(): void {
    this.paused = true;
    process.kill(this.current, 'SIGSTOP');
    waitUntilStopped(this.current);
    if (!this.recipe.forks) return;
    for (const pid of childProcesses(this.current)) {
      signalIfAlive(pid, 'SIGSTOP');
      waitUntilStopped(pid);
    }
  }

  /** Ends a pause. */
  resume(): void {
    this.paused = false;
    if (this.recipe.forks) for (const pid of childProcesses(this.current)) signalIfAlive(pid, 'SIGCONT');
    signalIfAlive(this.current, 'SIGCONT');
  }

  /** Ends the server permanently and removes its directory. */
  async stop(): Promise<void> {
    this.beforeEnd();
    await this.guard.close();
  }

  /** Frozen child processes would delay the end of their parent. */
  private beforeEnd(): void {
    this.wanted = false;
    if (this.paused && this.recipe.forks) this.resume();
    this.paused = false;
  }

  /** Its output so far, standard output and error together. */
  async log(): Promise<string> {
    return readFile(join(this.recipe.directory, 'log'), 'utf8').catch(() => '');
  }
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}
