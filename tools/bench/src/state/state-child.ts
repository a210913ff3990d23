import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Arguments of a backend of the state benchmark. */
export interface StateChildArguments {
  readonly redisUrl: string;
  readonly prefix: string;
  /** URLs of its workers. */
  readonly workers: readonly string[];
  /** How many subscriptions a worker may hold. */
  readonly capacity: number;
}

export interface StateSample {
  /** Duration of each call from its due time. Milliseconds. */
  readonly latencies: readonly number[];
  /** Calls that yielded the safe default, because Redis did not answer in time. */
  readonly unanswered: number;
  /** How long the process was ready to run without a processor during the calls; null if unknown. Milliseconds. */
  readonly waitedMs: number | null;
}

/** Calls of a backend. */
export interface StateRequests {
  /** Makes this many subscriptions desired. */
  fill(subscriptions: number): Promise<void>;
  /** Whether all workers are online and this many subscriptions are active. */
  whole(subscriptions: number): Promise<boolean>;
  /** Calls `getState` this often, every `interval` milliseconds. */
  sample(count: number, interval: number): Promise<StateSample>;
  /** The longest time that its event loop was blocked since the last call, in milliseconds. */
  blocked(): Promise<number>;
  /** Bytes in use after a collection. */
  heap(): Promise<number>;
}

export interface StateRequest {
  readonly method: keyof StateRequests;
  readonly args: readonly number[];
}

/** Its answer. The backend sends the first one by itself after its start. */
export interface StateAnswer {
  readonly value?: unknown;
  readonly error?: string;
}

/** A backend in its own process. One call at a time. */
export class StateChild implements StateRequests {
  private constructor(private readonly process: ChildProcess) {}

  static async start(args: StateChildArguments): Promise<StateChild> {
    const file = fileURLToPath(new URL('state.child.js', import.meta.url));
    const child = new StateChild(
      fork(file, [JSON.stringify(args)], {
        execArgv: ['--expose-gc'],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      }),
    );
    await child.answer();
    return child;
  }

  async fill(subscriptions: number): Promise<void> {
    await this.ask('fill', subscriptions);
  }

  whole(subscriptions: number): Promise<boolean> {
    return this.ask('whole', subscriptions) as Promise<boolean>;
  }

  sample(count: number, interval: number): Promise<StateSample> {
    return this.ask('sample', count, interval) as Promise<StateSample>;
  }

  blocked(): Promise<number> {
    return this.ask('blocked') as Promise<number>;
  }

  heap(): Promise<number> {
    return this.ask('heap') as Promise<number>;
  }

  async stop(): Promise<void> {
    const { process } = this;
    if (process.exitCode !== null || process.signalCode !== null) return;
    const exit = once(process, 'exit');
    process.kill('SIGKILL');
    await exit;
  }

  private ask(method: keyof StateRequests, ...args: number[]): Promise<unknown> {
    const answer = this.answer();
    this.process.send({ method, args } satisfies StateRequest);
    return answer;
  }

  private async answer(): Promise<unknown> {
    const waiting = new AbortController();
    const { signal } = waiting;
    try {
      const { value, error } = await Promise.race([
        once(this.process, 'message', { signal }).then(([message]) => message as StateAnswer),
        once(this.process, 'exit', { signal }).then(([code]): StateAnswer => {
          throw new Error(`a backend of the state benchmark ended with code ${code}`);
        }),
      ]);
      if (error !== undefined) throw new Error(error);
      return value;
    } finally {
      waiting.abort();
    }
  }
}
