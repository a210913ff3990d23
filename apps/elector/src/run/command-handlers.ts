import type { ElectorHandlers, Lease } from '@detector-cluster/election';
import type { CommandContext } from './shell-command.js';
import type { Report } from '../report.js';

/** A command that can be run with what the election says. */
export interface Command {
  run(context: CommandContext, signal?: AbortSignal): Promise<void>;
}

interface CommandHandlersOptions {
  readonly begin: Command;
  readonly end: Command;
  readonly report: Report;
  /** Milliseconds. */
  readonly errorTimeout: number;
}

/** The commands as the handlers of an elector. */
export class CommandHandlers implements ElectorHandlers {
  /** The begin command was started, and the end command has not succeeded since. */
  begun = false;
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: CommandHandlersOptions) {}

  /** Resolves when no command runs. */
  async idle(): Promise<void> {
    for (let last; last !== this.running;) {
      last = this.running;
      await last;
    }
  }

  async begin(lease: Lease): Promise<void> {
    const { begin, report } = this.options;
    const { term, signal } = lease;
    this.begun = true;
    try {
      await this.track(begin.run({ term, state: 'leader' }, signal));
    } catch (error) {
      // What failed in time has not begun.
      if (!signal.aborted) this.begun = false;
      throw error;
    }
    report.event('begin-done', `the begin command of term ${term} is done`, { term });
  }

  async end({ term }: { readonly term: number }): Promise<void> {
    const { end, report } = this.options;
    await this.track(end.run({ term, state: 'notleader' }));
    this.begun = false;
    report.event('end-done', `the end command of term ${term} is done`, { term });
  }

  error(error: Error): void {
    const { errorTimeout, report } = this.options;
    const seconds = errorTimeout / 1_000;
    report.event('error-state', `does not compete for ${seconds} s after: ${error.message}`, {
      message: error.message,
      errorTimeout,
    });
  }

  private track(running: Promise<void>): Promise<void> {
    this.running = running.catch(() => undefined);
    return running;
  }
}
