import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { ConsumerOptions } from '../../libs/delivery/src/index.js';
import type { Delivered } from './delivery-order.js';

export interface DeliveryProcessOptions {
  readonly url: string;
  readonly prefix: string;
  readonly processId: string;
  /** How long a callback takes. Milliseconds. */
  readonly callbackTime: number;
  readonly options: Partial<ConsumerOptions>;
}

type Report =
  | ({ readonly type: 'start' } & Omit<Delivered, 'processId'>)
  | { readonly type: 'end' | 'abort'; readonly detectionId: string; readonly at: number };

/** A receiving process of its own, which a test can kill and freeze. */
export class DeliveryProcess {
  /** Detections whose callback ended after its `signal` had aborted, and when. */
  readonly aborted = new Map<string, number>();

  private constructor(private readonly child: ChildProcess) {}

  /** Resolves when it has announced its listeners. */
  static async start(
    options: DeliveryProcessOptions,
    onStart: (delivered: Delivered) => void,
  ): Promise<DeliveryProcess> {
    const script = new URL('dist/delivery-child.js', import.meta.url);
    const stdio = ['ignore', 'inherit', 'inherit', 'pipe', 'ipc'] as const;
    const child = fork(script, [JSON.stringify(options)], { execArgv: [], stdio: [...stdio] });
    const started = new DeliveryProcess(child);
    createInterface(child.stdio[3] as Readable).on('line', (line) => {
      const report = JSON.parse(line) as Report;
      if (report.type === 'abort') started.aborted.set(report.detectionId, report.at);
      if (report.type !== 'start') return;
      const { type: _, ...start } = report;
      onStart({ processId: options.processId, ...start });
    });
    await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => {
        throw new Error('the child process ended; is the library built?');
      }),
    ]);
    return started;
  }

  /** SIGSTOP: its sockets stay open. */
  freeze(): void {
    this.child.kill('SIGSTOP');
  }

  /** SIGCONT. */
  thaw(): void {
    this.child.kill('SIGCONT');
  }

  /** SIGKILL; resolves when it is dead. */
  async kill(): Promise<void> {
    if (this.ended) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }

  /** Lets it withdraw its listeners, end its callbacks and release its partitions; resolves when it has ended. */
  async stop(): Promise<void> {
    this.child.send('stop');
    await once(this.child, 'exit');
  }

  private get ended(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }
}
