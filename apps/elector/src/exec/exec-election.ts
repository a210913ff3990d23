import { constants } from 'node:os';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Elector, type ElectionBackend, type ElectionControl, type Lease } from '@detector-cluster/election';
import { ProcessGroup, type Ending } from '../commands/process-group.js';
import { describeEnding } from '../commands/shell-command.js';
import type { Report } from '../report/report.js';
import { Session } from '../run/session.js';

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
  readonly killAfter: number;
  readonly errorTimeout: number;
  readonly stopTimeout: number;
  readonly json: boolean;
}

interface ExecContext {
  readonly backend: ElectionBackend;
  readonly control: ElectionControl | undefined;
  readonly report: Report;
}

/**
 * Runs a command, and ends its process group when the program that has started it does, however that ends: only that program
 * holds the other end of descriptor 3.
 */
const GUARD =
  '{ read -r _ <&3; trap "" TERM; kill -TERM -$$; sleep "$1"; kill -KILL -$$; } >/dev/null 2>&1 & ' +
  'shift; exec "$@" 3<&-';

/** Holds leadership while a command runs. */
export function execElection(options: ExecOptions, context: ExecContext): Session {
  const { instanceId, errorTimeout, killAfter, stopTimeout } = options;
  const { backend, control, report } = context;
  const run = new ExecRun(options, report, (why, code) => session.stop(why, code));
  const elector = new Elector({
    backend,
    candidate: { id: instanceId },
    handlers: run,
    errorTimeout,
    handoverTimeout: killAfter + 5_000,
  });
  const session: Session = new Session({
    elector,
    backend,
    control,
    report,
    instanceId,
    stopTimeout: Math.max(stopTimeout, killAfter + 5_000),
    unfinished: () => false,
    kill: () => run.kill(),
  });
  return session;
}

class ExecRun {
  private group: ProcessGroup | undefined;

  constructor(
    private readonly options: ExecOptions,
    private readonly report: Report,
    private readonly stop: (why: string, code: number) => void,
  ) {}

  async begin(lease: Lease): Promise<void> {
    const group = await this.launch(lease);
    const { killAfter } = this.options;
    lease.signal.addEventListener('abort', () => void this.group?.end(killAfter));
    void this.supervise(group, lease);
  }

  async end(): Promise<void> {
    await this.group?.end(this.options.killAfter);
  }

  kill(): void {
    this.group?.signal('SIGKILL');
  }

  private async launch({ term, signal }: Lease): Promise<ProcessGroup> {
    const { file, args, instanceId, json, killAfter } = this.options;
    const env = {
      ...process.env,
      ELECTOR_TERM: `${term}`,
      ELECTOR_INSTANCE_ID: instanceId,
      ELECTOR_STATE: 'leader',
    };
    const output = json ? 'pipe' : 'inherit';
    const guarded = ['-c', GUARD, 'elector', String(Math.ceil(killAfter / 1_000)), file, ...args];
    const group = ProcessGroup.start('/bin/sh', guarded, { env, stdio: ['ignore', output, output, 'pipe'] });
    this.group = group;
    const { child } = group;
    // It is only held.
    child.stdio[3]?.on('error', () => undefined);
    await once(child, 'spawn');
    if (json)
      for (const stream of ['stdout', 'stderr'] as const)
        createInterface({ input: child[stream]! }).on('line', (line) =>
          this.report.output(file, stream, line),
        );
    this.report.event('command-started', `${file} runs, process ${child.pid}`, { term, pid: child.pid });
    if (signal.aborted) await group.end(killAfter);
    return group;
  }

  /** Follows the command through its restarts in one tenure. */
  private async supervise(first: ProcessGroup, lease: Lease): Promise<void> {
    const { file, restart, restartDelay, json } = this.options;
    for (let group = first; ;) {
      const ending = await group.ended;
      // What it has left running does not outlive it.
      group.signal('SIGKILL');
      if (json) await group.outputEnded(200);
      this.report.event('command-ended', `${file} ended: ${describeEnding(ending)}`, { ...ending });
      if (lease.signal.aborted) {
        if (restart === 'never') this.stop('leadership was lost', 1);
        return;
      }
      if (!this.isToRestart(ending)) return this.stop(`${file} has ended`, exitCodeOf(ending));
      await sleep(restartDelay, undefined, { signal: lease.signal }).catch(() => undefined);
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
