import { createInterface } from 'node:readline';
import type { Report } from '../report.js';
import { ProcessGroup } from './process-group.js';

/** A command of the user did not succeed. */
class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code = 'COMMAND_FAILED';

  /** @param command `begin`, `end` or the command itself. */
  constructor(command: string, what: string) {
    super(`the ${command} command ${what}`);
  }
}

/** The variables that a command gets in its environment. */
export interface CommandContext {
  readonly term: number;
  readonly state: 'leader' | 'notleader';
}

export interface ShellCommandOptions {
  /** `begin` or `end`, for messages and before each line of output. */
  readonly name: string;
  /** The command line for the user's shell. */
  readonly text: string;
  readonly instanceId: string;
  /** How long it may take. Milliseconds; 0: no limit. */
  readonly timeout: number;
  readonly report: Report;
  readonly env?: NodeJS.ProcessEnv;
}

/** How long a process may take to end after SIGTERM. Milliseconds. */
const KILL_AFTER = 2_000;

/** Output may still come from what a command left running; a command is not over-long waited for because of it. Milliseconds. */
const LAST_OUTPUT = 200;

/** A command of the user, run by the user's shell. */
export class ShellCommand {
  private readonly running = new Set<ProcessGroup>();

  constructor(private readonly options: ShellCommandOptions) {}

  /**
   * Runs it to its end.
   * @param signal Ends it, with all that it started.
   * @throws CommandError when it fails, cannot be found, takes too long, or is ended.
   */
  async run({ term, state }: CommandContext, signal?: AbortSignal): Promise<void> {
    const { name, text, instanceId, timeout, env = process.env } = this.options;
    const shell = env['SHELL'] || '/bin/sh';
    const group = ProcessGroup.start(shell, ['-c', text], {
      env: { ...env, ELECTOR_TERM: String(term), ELECTOR_INSTANCE_ID: instanceId, ELECTOR_STATE: state },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.running.add(group);
    this.passOn(group);
    let cause = '';
    const stop = (why: string) => {
      cause ||= why;
      void group.end(KILL_AFTER);
    };
    const interrupted = () => stop('was ended, because leadership ended');
    const timer =
      timeout > 0
        ? setTimeout(() => stop(`took longer than ${timeout / 1_000} s and was ended`), timeout)
        : undefined;
    if (signal?.aborted) interrupted();
    signal?.addEventListener('abort', interrupted);
    try {
      const ending = await group.ended.catch((error: Error) => {
        throw new CommandError(name, `could not be started by ${shell}: ${error.message}`);
      });
      await group.outputEnded(LAST_OUTPUT);
      if (cause) throw new CommandError(name, cause);
      if (ending.code === 127) throw new CommandError(name, `was not found (exit code 127): ${text}`);
      if (ending.code !== 0) throw new CommandError(name, `failed (${describeEnding(ending)})`);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupted);
      this.running.delete(group);
    }
  }

  /** SIGKILL to whatever runs. */
  kill(): void {
    for (const group of this.running) group.signal('SIGKILL');
  }

  private passOn({ child }: ProcessGroup): void {
    const { name, report } = this.options;
    for (const stream of ['stdout', 'stderr'] as const)
      if (child[stream])
        createInterface({ input: child[stream] }).on('line', (line) => report.output(name, stream, line));
  }
}

export function describeEnding({ code, signal }: { code: number | null; signal: string | null }): string {
  return signal ? `signal ${signal}` : `exit code ${code}`;
}
