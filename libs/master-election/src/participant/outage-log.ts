import type { LoggerService } from '@nestjs/common';

/** An error that persists is logged again at this interval. Milliseconds. */
const REPEAT_INTERVAL = 30_000;

/** Logs the errors of an outage once per kind, then at most once per interval. Logs the end of the outage. */
export class OutageLog {
  private readonly logged = new Map<string, number>();

  constructor(
    private readonly logger: Pick<LoggerService, 'warn' | 'log'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  failed(error: Error): void {
    // The message of a named error can vary, for example with a countdown.
    const kind = error.name === 'Error' ? error.message : error.name;
    const last = this.logged.get(kind);
    if (last !== undefined && this.now() - last < REPEAT_INTERVAL) return;
    this.logged.set(kind, this.now());
    this.logger.warn(`${error.message}; trying again`);
  }

  recovered(): void {
    if (this.logged.size === 0) return;
    this.logged.clear();
    this.logger.log('the store answers again');
  }
}
