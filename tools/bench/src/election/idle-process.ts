import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface IdleArguments {
  readonly redisUrl: string;
  readonly lockName: string;
  /** Name of its connections at the server. */
  readonly connectionName: string;
}

export interface IdleReport {
  readonly isMaster: boolean;
  /** Processor time since the start of the process, in milliseconds. */
  readonly cpuMs: number;
}

const script = fileURLToPath(new URL('idle.child.js', import.meta.url));

/** A process that has joined an election and does nothing else. */
export class IdleProcess {
  private readonly child: ChildProcess;

  constructor(private readonly args: IdleArguments) {
    this.child = fork(script, [JSON.stringify(args)], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  }

  get connectionName(): string {
    return this.args.connectionName;
  }

  /** Resolves when it knows who leads. */
  async ready(): Promise<void> {
    await this.answer();
  }

  async report(): Promise<IdleReport> {
    const answer = this.answer();
    this.child.send('report');
    return (await answer) as IdleReport;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exit;
  }

  private async answer(): Promise<unknown> {
    const waiting = new AbortController();
    const { signal } = waiting;
    try {
      return await Promise.race([
        once(this.child, 'message', { signal }).then(([message]) => message as unknown),
        once(this.child, 'exit', { signal }).then(([code]) => {
          throw new Error(`an idle process ended with code ${code}`);
        }),
      ]);
    } finally {
      waiting.abort();
    }
  }
}
