import type { LoggerService } from '@nestjs/common';
import type { LeaderWorkError } from './leader-work.error.js';

/** A failure that goes on is repeated in the log this often. Milliseconds. */
const REPEAT_INTERVAL = 60_000;

/** Kinds that are told apart; messages may carry anything. */
const MOST_KINDS = 1_000;

/** Logs failures of decorated methods with their stacks: each kind once, and then rarely. */
export class FailureLog {
  private readonly logged = new Map<string, number>();

  constructor(
    private readonly logger: Pick<LoggerService, 'error'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  failed({ message, cause }: LeaderWorkError): void {
    const last = this.logged.get(message);
    if (last !== undefined && this.now() - last < REPEAT_INTERVAL) return;
    if (this.logged.size >= MOST_KINDS) this.logged.clear();
    this.logged.set(message, this.now());
    this.logger.error(message, cause instanceof Error ? cause.stack : undefined);
  }
}
