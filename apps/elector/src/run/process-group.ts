import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

interface ProcessGroupOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly stdio: StdioOptions;
  /** The process stays in the group of this program. Signals go to the process alone. */
  readonly shared?: boolean;
}

/** A process with all that it starts: a group of its own, so that all of it can be ended. */
export class ProcessGroup {
  /** Settles when the process has ended, whatever it has left behind; rejects when it could not be started. */
  readonly ended: Promise<Ending>;
  private over = false;

  private constructor(
    readonly child: ChildProcess,
    readonly shared: boolean,
  ) {
    this.ended = new Promise((resolve, reject) => {
      child.once('error', (error) => {
        this.over = true;
        reject(error);
      });
      child.once('exit', (code, signal) => {
        this.over = true;
        resolve({ code, signal });
      });
    });
    this.ended.catch(() => undefined);
  }

  static start(
    file: string,
    args: readonly string[],
    { shared = false, ...options }: ProcessGroupOptions,
  ): ProcessGroup {
    return new ProcessGroup(spawn(file, args, { ...options, detached: !shared }), shared);
  }

  /** As `kill` takes it: the process, or its group. */
  get target(): number | undefined {
    const { pid } = this.child;
    return pid === undefined || this.shared ? pid : -pid;
  }

  /** SIGTERM to all of it; SIGKILL to what is left after `timeout` ms. Resolves when the process has ended. */
  async end(timeout: number): Promise<void> {
    if (this.over) return;
    this.signal('SIGTERM');
    const timer = setTimeout(() => this.signal('SIGKILL'), timeout);
    await this.ended.catch(() => undefined);
    clearTimeout(timer);
    // What the process has started may have stayed.
    this.signal('SIGKILL');
  }

  /** Sends a signal to every process of the group that is left. */
  signal(name: NodeJS.Signals): void {
    const { target } = this;
    if (target === undefined || (this.shared && this.over)) return;
    try {
      process.kill(target, name);
    } catch {
      // Nothing is left.
    }
  }

  /** Resolves when no process holds its output open, at the latest after `timeout` ms. */
  async outputEnded(timeout: number): Promise<void> {
    const streams = [this.child.stdout, this.child.stderr].filter(
      (stream) => stream && !stream.readableEnded,
    );
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeout);
    await Promise.allSettled(streams.map((stream) => once(stream!, 'end', { signal: late.signal })));
    clearTimeout(timer);
  }
}
