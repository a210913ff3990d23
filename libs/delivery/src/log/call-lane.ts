import type { Clock } from '@detector-cluster/election';
import { doubling, Repeater } from '@detector-cluster/election/internal';

export interface CallLaneHooks<Batch> {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How long the first thing waits at least for others, so that they share a call. Milliseconds. */
  readonly linger: number;
  /** Within this it waits as long as the last call took: calls that are slow carry more. Default {@link linger}. Milliseconds. */
  readonly longestLinger?: number;
  readonly waiting: () => boolean;
  /** Whether a call may be made at this instant; `repeated`: its outcome is unknown. Default always. */
  readonly mayCall?: (repeated: boolean) => boolean;
  readonly compose: () => Batch;
  /** Makes the call. It is repeated with the same batch when it rejects, and with the batch that it returns. */
  readonly call: (batch: Batch) => Promise<Batch | void>;
  readonly onError: (error: Error) => void;
}

/** How often a lane that may not call checks again, and the shortest pause before a call is repeated. Milliseconds. */
const LOOK_AGAIN = 20;

/** Makes calls one after the other for as long as something waits. A call is repeated until its outcome is known. */
export class CallLane<Batch> {
  private readonly repeater: Repeater;
  /** What was sent, and may or may not have arrived. */
  private unknown: Batch | undefined;
  /** Something has come during a call. */
  private isLate = false;
  private lastTook = 0;

  constructor(private readonly hooks: CallLaneHooks<Batch>) {
    const { clock, onError, signal } = hooks;
    this.repeater = new Repeater({
      clock,
      signal,
      run: () => this.makeCall(),
      onError: (error, failures) => {
        onError(error);
        this.again(doubling(LOOK_AGAIN, failures, 500));
      },
    });
  }

  /** Announces a waiting item. @param urgent whether it is sent without lingering for others */
  wake(urgent: boolean): void {
    if (urgent) this.repeater.poke();
    else if (!this.repeater.running) this.repeater.poke(this.linger);
    else if (!this.isLate) {
      this.isLate = true;
      void this.repeater.settled.then(() => this.lingerAgain());
    }
  }

  private get linger(): number {
    const { linger, longestLinger = linger } = this.hooks;
    return Math.min(longestLinger, Math.max(linger, this.lastTook));
  }

  /** What has come during a call begins to linger when the call has ended. */
  private lingerAgain(): void {
    this.isLate = false;
    if (this.hooks.waiting()) this.repeater.poke(this.linger);
  }

  private async makeCall(): Promise<void> {
    const { call, clock, compose, mayCall = () => true, waiting } = this.hooks;
    if (this.unknown === undefined && !waiting()) return;
    if (!mayCall(this.unknown !== undefined)) return this.again(LOOK_AGAIN);
    this.unknown ??= compose();
    const from = clock.now();
    this.unknown = (await call(this.unknown)) ?? undefined;
    this.lastTook = clock.now() - from;
    if (this.unknown !== undefined) this.repeater.poke();
    else if (waiting()) this.wake(false);
  }

  private again(wait: number): void {
    this.repeater.rest(wait);
    this.repeater.poke(wait);
  }
}
