import { type Clock, type ElectionBackend, type ElectionControl, Elector } from '@detector-cluster/election';
import { MAX_TIMER, withCampaign } from '@detector-cluster/election/internal';
import { ShellCommand } from './shell-command.js';
import type { Report } from '../report.js';
import { type Command, CommandHandlers } from './command-handlers.js';
import { Session } from './session.js';

/**
 * A backend that passes on one update at a time, each after `idle` has resolved, so that the next update never overtakes a command.
 * It is for a console, where no other instance can lead in the meantime. Calls `ended` when its campaign ends by itself.
 */
function oneAtATime(backend: ElectionBackend, idle: () => Promise<void>, ended: () => void): ElectionBackend {
  return withCampaign(backend, async function* (candidate, signal) {
    for await (const state of backend.campaign(candidate, signal)) {
      await idle();
      if (signal.aborted) return;
      yield state;
    }
    if (!signal.aborted) ended();
  });
}

export interface RunOptions {
  readonly instanceId: string;
  readonly leaderBeginCommand: string;
  readonly leaderEndCommand: string;
  /** Durations in milliseconds. */
  readonly errorTimeout: number;
  /** `Infinity`: no timeout. */
  readonly renewDeadline: number;
  /** 0: no limit. */
  readonly commandTimeout: number;
  readonly stopTimeout: number;
}

interface RunContext {
  readonly backend: ElectionBackend;
  readonly control: ElectionControl | undefined;
  readonly report: Report;
  readonly clock?: Clock;
  /** Default: the shell's. */
  readonly commands?: { readonly begin: KillableCommand; readonly end: KillableCommand };
}

interface KillableCommand extends Command {
  kill(): void;
}

/** A command may take this long to end after SIGTERM. Milliseconds. */
const TAIL = 5_000;

/** Runs one command when this instance becomes leader, and another when it no longer is. */
export function runElection(options: RunOptions, context: RunContext): Session {
  const { instanceId, errorTimeout, renewDeadline, commandTimeout: timeout, stopTimeout } = options;
  const { backend, control, report, clock, commands } = context;
  const command = (name: string, text: string) =>
    new ShellCommand({ name, text, instanceId, timeout, report });
  const begin = commands?.begin ?? command('begin', options.leaderBeginCommand);
  const end = commands?.end ?? command('end', options.leaderEndCommand);
  const handlers = new CommandHandlers({ begin, end, report, errorTimeout });
  const typed = backend.name === 'console';
  const elector = new Elector({
    backend: typed
      ? oneAtATime(
          backend,
          () => handlers.idle(),
          () => session.stop('the end of the input'),
        )
      : backend,
    candidate: { id: instanceId },
    handlers,
    errorTimeout,
    ...(renewDeadline < Infinity && { renewDeadline }),
    // No other instance leads before the end command is done.
    handoverTimeout: timeout === 0 ? MAX_TIMER : Math.min(timeout + TAIL, MAX_TIMER),
    ...(clock && { clock }),
  });
  const session: Session = new Session({
    elector,
    backend,
    control,
    report,
    instanceId,
    stopTimeout,
    unfinished: () => handlers.begun,
    kill: () => [begin, end].forEach((each) => each.kill()),
  });
  return session;
}
