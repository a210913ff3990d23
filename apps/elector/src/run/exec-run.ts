import { pause } from '@detector-cluster/election/internal';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { type Lease, systemClock } from '@detector-cluster/election';
import type { Ending, ProcessGroup } from './process-group.js';
import { describeEnding } from './shell-command.js';
import type { Report } from '../report.js';
import { timeToEnd, startGuarded } from './guarded-group.js';

/**
 * When the command is run again: `never`; `on-loss`: when this instance leads again, after leadership was lost; `on-failure`: also when
 * the command failed; `always`: also when it succeeded.
 */
export const RESTARTS = ['never', 'on-loss', 'on-failure', 'always'] as const;

export interface ExecOptions {
  readonly instanceId: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly restart: (typeof RESTARTS)[number];
  /** Durations in milliseconds. */
  readonly restartDelay: number;
  /** Leadership is given up so long after its last confirmation was sent; `Infinity` for never. */
  readonly renewDeadline: number;
  /** Between SIGTERM and SIGKILL. With `renewDeadline` it ends before another candidate can lead. */
  readonly killAfter: number;
  readonly errorTimeout: number;
  readonly stopTimeout: number;
  readonly json: boolean;
  readonly surroundings: Surroundings;
}

/** What this program has found, for the command to find the same. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly input: 'inherit' | 'ignore';
  /** The input is a terminal: the command stays in the group of this program, so that the terminal takes both for one job. */
  readonly terminal: boolean;
}

/** Which signals a terminal sends to a whole job, and a service manager to a whole service. */
const TO_ALL: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGQUIT']);

/** What the terminal itself sends to the command. */
const OF_TERMINALS: ReadonlySet<NodeJS.Signals> = new Set([...TO_ALL, 'SIGHUP', 'SIGWINCH', 'SIGCONT']);

/** The command of one leader, in one term after another. */
export class ExecRun {
  private group: ProcessGroup | undefined;
  private running = false;
  /** The command was asked to end, and this program ends with it. */
  private isLast = false;

  constructor(
    private readonly options: ExecOptions,
    private readonly report: Report,
    private readonly stop: (why: string, code: number) => void,
  ) {}

  async begin(lease: Lease): Promise<void> {
    const group = await this.launch(lease);
    const end = () => void this.group?.end(timeToEnd(lease, this.options));
    lease.signal.addEventListener('abort', end);
    void this.supervise(group, lease);
  }

  async end(): Promise<void> {
    await this.group?.ended.catch(() => undefined);
  }

  kill(): void {
    this.group?.signal('SIGKILL');
  }

  /** Passes a signal to the command. Returns false for one that ends this program. */
  pass(signal: NodeJS.Signals): boolean {
    const { terminal } = this.options.surroundings;
    if (signal === 'SIGTERM') return false;
    if (TO_ALL.has(signal) || (signal === 'SIGHUP' && terminal)) {
      if (!this.running) return false;
      this.isLast = true;
    }
    const group = this.running ? this.group : undefined;
    if (signal === 'SIGTSTP') {
      // The command has a session of its own, in which it would ignore SIGTSTP.
      group?.signal('SIGSTOP');
      process.kill(process.pid, 'SIGSTOP');
    } else if (terminal && OF_TERMINALS.has(signal)) return true;
    else if (TO_ALL.has(signal) || signal === 'SIGCONT') group?.signal(signal);
    else group?.child.kill(signal);
    return true;
  }

  private async launch(lease: Lease): Promise<ProcessGroup> {
    const { file, args, instanceId, json, surroundings } = this.options;
    const { term, signal } = lease;
    const env = {
      ...surroundings.env,
      ELECTOR_TERM: `${term}`,
      ELECTOR_INSTANCE_ID: instanceId,
      ELECTOR_STATE: 'leader',
    };
    const group = await startGuarded([file, ...args], lease, {
      ...this.options,
      ...surroundings,
      env,
      output: json ? 'pipe' : 'inherit',
      shared: surroundings.terminal,
    });
    this.group = group;
    this.running = true;
    const { child } = group;
    if (json)
      for (const stream of ['stdout', 'stderr'] as const)
        createInterface({ input: child[stream]! }).on('line', (line) =>
          this.report.output(file, stream, line),
        );
    this.report.event('command-started', `${file} runs, process ${child.pid}`, { term, pid: child.pid });
    if (signal.aborted) await group.end(timeToEnd(lease, this.options));
    return group;
  }

  /** Follows the command through its restarts in one term. */
  private async supervise(first: ProcessGroup, lease: Lease): Promise<void> {
    const { file, restart, restartDelay, json } = this.options;
    for (let group = first; ;) {
      const ending = await group.ended;
      // The guard ends the command of a stopped program, which may see that end before the end of its lease.
      const confirmed = lease.isValid();
      this.running = false;
      // What it has left running does not outlive it.
      group.signal('SIGKILL');
      if (json) await group.outputEnded(200);
      this.report.event('command-ended', `${file} ended: ${describeEnding(ending)}`, { ...ending });
      if (this.isLast) return this.stop(`${file} has ended`, exitCodeOf(ending));
      await lease.ready().catch(() => undefined);
      if (lease.signal.aborted) {
        if (restart === 'never') this.stop('leadership was lost', 1);
        return;
      }
      if (!this.isToRestart(ending) && (confirmed || restart === 'never'))
        return this.stop(`${file} has ended`, exitCodeOf(ending));
      await pause(restartDelay, systemClock, lease.signal);
      if (lease.signal.aborted) return;
      try {
        group = await this.launch(lease);
      } catch (error) {
        return this.report.error(error as Error);
      }
    }
  }

  private isToRestart({ code }: Ending): boolean {
    const { restart } = this.options;
    return restart === 'always' || (restart === 'on-failure' && code !== 0);
  }
}

/** As a shell says it. */
function exitCodeOf({ code, signal }: Ending): number {
  return code ?? 128 + (signal ? constants.signals[signal] : 0);
}
