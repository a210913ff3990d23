import { ElectorGaveUpError } from '../contract/errors.js';
import type { Clock } from '../util/clock.js';
import { pause } from '../util/pause.js';
import { toError } from '../util/to-error.js';

/** Milliseconds. */
const PAUSE = 5_000;

const ATTEMPTS = 12;

/** Runs the end handler of one term until it succeeds or there is no hope. */
export class EndRun {
  /** Settles after the first attempt, successful or not. */
  readonly firstAttempt: Promise<void>;
  private succeeded = false;
  private failure: Error | undefined;

  /**
   * @param after Nothing runs before that.
   * @param handler The end handler.
   * @param failed Receives the error of each attempt.
   */
  constructor(
    after: Promise<void>,
    private readonly handler: () => unknown,
    private readonly term: number,
    private readonly clock: Clock,
    private readonly failed: (error: Error) => void,
  ) {
    this.firstAttempt = after.then(() => this.attempt());
  }

  /** Whether nothing is left to do. */
  get done(): boolean {
    return this.succeeded;
  }

  /**
   * Waits for the first attempt, and repeats it for as long as it fails.
   * @throws ElectorGaveUpError
   */
  async finish(): Promise<void> {
    await this.firstAttempt;
    for (let attempts = 1; !this.succeeded; attempts++) {
      if (attempts === ATTEMPTS) throw new ElectorGaveUpError(this.term, attempts, PAUSE, this.failure);
      await pause(PAUSE, this.clock);
      await this.attempt();
    }
  }

  private async attempt(): Promise<void> {
    try {
      await this.handler();
      this.succeeded = true;
    } catch (error) {
      this.failure = toError(error);
      this.failed(this.failure);
    }
  }
}
