import { systemClock } from '@detector-cluster/election';
import { pause } from '@detector-cluster/election/internal';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ElectionBackend, ElectionControl, Elector } from '@detector-cluster/election';
import type { Report } from '../report.js';

interface SessionOptions {
  readonly elector: Elector;
  readonly backend: ElectionBackend;
  readonly control: ElectionControl | undefined;
  readonly report: Report;
  readonly instanceId: string;
  /** How long it may take to end. Milliseconds. */
  readonly stopTimeout: number;
  /** Whether something that began with leadership may still be going on. */
  readonly unfinished: () => boolean;
  /** Ends all commands at once. */
  readonly kill: () => void;
  /** Takes a signal to the program. Returns false for one that this does not concern. Default: none. */
  readonly pass?: (signal: NodeJS.Signals) => boolean;
}

/** Signals that end the program in order. */
const ENDING: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']);

/** How often a leader looks whether it was asked to resign. Milliseconds. */
const REQUEST_LOOK = 1_000;

/** One run of the program, from the start of its candidacy to its exit code. */
export class Session {
  /** Resolves with the exit code. */
  readonly exit: Promise<number>;
  private finish!: (code: number) => void;
  private stopping = false;
  private readonly over = new AbortController();

  constructor(private readonly options: SessionOptions) {
    this.exit = new Promise((resolve) => (this.finish = resolve));
    void this.exit.then(() => this.over.abort());
    this.listen();
  }

  start(): void {
    const { report, instanceId, backend, elector, control } = this.options;
    report.event('started', `${instanceId} competes on ${backend.name}`, { backend: backend.name });
    elector.start();
    if (control) void this.obeyRequests(control);
  }

  /** A signal to the program. The second one that ends it, ends it at once. */
  signal(name: NodeJS.Signals): void {
    const { report, kill, pass } = this.options;
    if (pass?.(name) || !ENDING.has(name)) return;
    if (!this.stopping) return this.stop(name);
    report.event('stopping', `${name} again: ends at once`, { reason: name });
    kill();
    this.conclude(1);
  }

  /**
   * Ends in order: leadership, the end command, connections. At last after `stopTimeout`.
   * @param code The exit code, if all goes well.
   */
  stop(why: string, code = 0): void {
    const { report, kill, stopTimeout } = this.options;
    if (this.stopping) return;
    this.stopping = true;
    report.event('stopping', `ends: ${why}`, { reason: why });
    const tooLong = sleep(stopTimeout, 'late' as const, { signal: this.over.signal, ref: false }).catch(
      () => undefined,
    );
    void Promise.race([this.windUp(), tooLong]).then((outcome) => {
      if (outcome === 'late') kill();
      this.conclude(code);
    });
  }

  private async windUp(): Promise<void> {
    const { elector, backend, control } = this.options;
    await elector.stop();
    await backend.close();
    await control?.close();
  }

  private conclude(code: number): void {
    const { report, unfinished } = this.options;
    if (!unfinished()) {
      report.event('stopped', 'has ended', { code });
      return this.finish(code);
    }
    const text = 'the end command did not succeed: the state of this host may be inconsistent';
    report.event('inconsistent', text, { message: text });
    this.finish(code === 0 ? 1 : code);
  }

  private listen(): void {
    const { elector, report } = this.options;
    elector.on('acquired', ({ term, reason }) =>
      report.event('leader', `leads in term ${term} (${reason})`, { term, reason }),
    );
    elector.on('lost', ({ term, reason }) =>
      report.event('not-leader', `leads no longer, term ${term} (${reason})`, { term, reason }),
    );
    elector.on('follower', ({ leaderId, term }) =>
      report.event('follower', leaderId === null ? 'no leader' : `${leaderId} leads in term ${term}`, {
        leaderId,
        term,
      }),
    );
    elector.on('suspended', ({ term }) =>
      report.event('suspended', `is not confirmed, term ${term}`, { term }),
    );
    elector.on('resumed', ({ term }) =>
      report.event('resumed', `is confirmed again, term ${term}`, { term }),
    );
    elector.on('recovered', () => report.event('recovered', 'the store answers again'));
    elector.on('error', (error) => report.error(error));
    elector.on('gave-up', (error) => {
      const { term, attempts, interval } = error;
      const text = `the end command of term ${term} failed ${attempts} times, ${interval / 1_000} s apart: the state of this host may be inconsistent`;
      report.event('inconsistent', text, { term, attempts, message: text });
      this.finish(1);
    });
  }

  private async obeyRequests(control: ElectionControl): Promise<void> {
    const { elector, report } = this.options;
    const { signal } = this.over;
    while (!signal.aborted && !this.stopping) {
      await pause(REQUEST_LOOK, systemClock, signal);
      const term = elector.lease?.term;
      if (term === undefined || this.stopping) continue;
      // The elector reports an unavailable store.
      if (!(await control.isResignRequested(term).catch(() => false)) || elector.lease?.term !== term)
        continue;
      report.event('resign-requested', `was asked to resign from term ${term}`, { term });
      await elector.resign();
    }
  }
}
