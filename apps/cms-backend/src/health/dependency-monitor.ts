import { Repeater, toError } from '@detector-cluster/election/internal';
import { Logger, type OnApplicationBootstrap } from '@nestjs/common';

/** Time between two checks. Milliseconds. */
const WHILE_UP = 5_000;
const WHILE_DOWN = 1_000;

/** The state of a server at the last check. */
export interface DependencyStatus {
  readonly ok: boolean;
  /** The start of this state. For a server that has always answered, the start of this process. Milliseconds since 1970. */
  readonly since: number;
  /** The error of a server that is unavailable. */
  readonly problem: string | null;
}

/**
 * Checks a server periodically and logs one line when it becomes unavailable and one when it is back. So the log shows each outage
 * once, even without requests.
 */
export class DependencyMonitor implements OnApplicationBootstrap {
  private readonly logger: Logger;
  private downSince: number | null = null;
  private readonly ending = new AbortController();
  private readonly looks = new Repeater({ signal: this.ending.signal, run: () => this.look() });
  private last: DependencyStatus = { ok: true, since: Date.now(), problem: null };

  /**
   * @param probe resolves when the server answers, rejects within a bounded time when it does not.
   * @param onDown called once per outage
   */
  constructor(
    private readonly name: string,
    private readonly probe: () => Promise<unknown>,
    private readonly onDown: () => void = () => undefined,
  ) {
    this.logger = new Logger(name);
  }

  /** The result of the last check; sends nothing. */
  get status(): DependencyStatus {
    return this.last;
  }

  onApplicationBootstrap(): void {
    this.looks.poke();
  }

  protected stop(): void {
    this.ending.abort();
  }

  /** Null if the server answers now, otherwise its error. */
  async check(): Promise<Error | null> {
    try {
      await this.probe();
      this.noteUp();
      return null;
    } catch (error) {
      const failure = toError(error);
      this.noteDown(failure);
      return failure;
    }
  }

  private async look(): Promise<void> {
    const failure = await this.check();
    this.looks.poke(failure === null ? WHILE_UP : WHILE_DOWN);
  }

  private noteUp(): void {
    if (!this.last.ok) this.last = { ok: true, since: Date.now(), problem: null };
    if (this.downSince === null) return;
    const seconds = ((performance.now() - this.downSince) / 1000).toFixed(1);
    this.downSince = null;
    this.logger.log(`${this.name} is back after ${seconds} s`);
  }

  private noteDown(error: Error): void {
    const reason = error.message === '' && 'code' in error ? String(error.code) : error.message;
    this.last = { ok: false, since: this.last.ok ? Date.now() : this.last.since, problem: reason };
    if (this.downSince !== null || this.ending.signal.aborted) return;
    this.downSince = performance.now();
    this.logger.warn(`${this.name} cannot be used (${reason}); trying again every ${WHILE_DOWN / 1000} s`);
    this.onDown();
  }
}
