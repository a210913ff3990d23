import type { Clock } from '@detector-cluster/election';
import { doubling, pause, toError, Condition } from '@detector-cluster/election/internal';

export interface CallLaneHooks<Batch> {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How long the first thing waits for others, so that they share a call. Milliseconds. */
  readonly linger: number;
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
  private readonly condition: Condition;
  private running = false;
  private urgent = false;

  constructor(private readonly hooks: CallLaneHooks<Batch>) {
    this.condition = new Condition(hooks.clock);
  }

  /** Announces a waiting item. @param urgent whether it is sent without lingering for others */
  wake(urgent: boolean): void {
    if (this.hooks.signal.aborted) return;
    if (urgent && !this.urgent) {
      this.urgent = true;
      this.condition.notify();
    }
    if (!this.running) void this.run();
  }

  private async run(): Promise<void> {
    const { call, clock, compose, linger, mayCall = () => true, onError, signal, waiting } = this.hooks;
    this.running = true;
    let batch: Batch | undefined;
    for (let failures = 0; !signal.aborted && (batch !== undefined || waiting());) {
      // Items that arrive in the same turn are sent together.
      if (batch === undefined) await (this.urgent ? Promise.resolve() : this.condition.wait(linger, signal));
      if (signal.aborted) break;
      if (!mayCall(batch !== undefined)) {
        await pause(LOOK_AGAIN, clock, signal);
        continue;
      }
      this.urgent = false;
      batch ??= compose();
      try {
        batch = (await call(batch)) ?? undefined;
        failures = 0;
      } catch (error) {
        if (signal.aborted) break;
        onError(toError(error));
        await pause(doubling(LOOK_AGAIN, failures++, 500), clock, signal);
      }
    }
    this.running = false;
  }
}

/** Pause after a pass that failed. Milliseconds. */
const AFTER_FAILURE = 200;

export interface PassContext {
  readonly clock: Clock;
  /** Ends the loop. */
  readonly signal: AbortSignal;
  readonly onEvent: (event: { readonly type: 'redis-error'; readonly error: Error }) => void;
}

/** Makes passes, one at a time: after a pause, or at once when something has changed. It is level-based, so a lost hint does no harm. */
export abstract class PassLoop<Context extends PassContext> {
  private readonly condition: Condition;

  constructor(protected readonly context: Context) {
    this.condition = new Condition(context.clock);
  }

  start(): void {
    void this.run();
  }

  soon(): void {
    this.condition.notify();
  }

  /** Returns how long to pause before the next pass unless something changes. Milliseconds. */
  protected abstract pass(): Promise<number>;

  /** Returns how long to pause. @param failures how many passes in a row have failed before */
  protected failed(error: unknown, _failures: number): number {
    this.context.onEvent({ type: 'redis-error', error: toError(error) });
    return AFTER_FAILURE;
  }

  private async run(): Promise<void> {
    const { signal } = this.context;
    for (let failures = 0; !signal.aborted;) {
      let wait: number;
      try {
        wait = await this.pass();
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        wait = this.failed(error, failures++);
      }
      await this.condition.wait(wait, signal);
    }
  }
}
