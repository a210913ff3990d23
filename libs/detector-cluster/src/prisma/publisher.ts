import type { ChangedRows } from '../desired/changed-rows.js';
import type { SubscriptionChange } from './cause-sink.js';
import type { WatchedModels } from './change-filter.js';

/** The part of a `SubscriptionTrigger` that is used. */
export interface ChangeTrigger {
  triggerSubscriptionUpdate(changeType: string, entityId?: undefined, rows?: ChangedRows): unknown;
}

interface CommonOptions {
  /** Models and fields that matter. Default: those of the reference schema. */
  models?: WatchedModels;
  /** A publication failed, at once or later. */
  onError?: (error: unknown) => void;
}

export type SubscriptionTriggersOptions = CommonOptions &
  (
    | { /** Told of each change, its causes joined with a comma. */ trigger: ChangeTrigger; publish?: never }
    | {
        /** Told of each change. It is not waited for; what it throws goes to `onError`. */
        publish: (change: SubscriptionChange) => unknown;
        trigger?: never;
      }
  );

/** Publishes. A call never throws and never makes its caller wait. */
export class Publisher {
  constructor(private readonly options: SubscriptionTriggersOptions) {}

  publish(change: SubscriptionChange): void {
    // On a turn of its own, so that a slow synchronous publisher does not hold up the result of the write.
    setImmediate(() => {
      void this.attempt(change);
    });
  }

  private async attempt(change: SubscriptionChange): Promise<void> {
    const { trigger, publish, onError } = this.options;
    try {
      await (trigger
        ? trigger.triggerSubscriptionUpdate(change.causes.join(','), undefined, change.rows ?? undefined)
        : publish?.(change));
    } catch (error) {
      try {
        onError?.(error);
      } catch {
        // There is no other handler to report it to.
      }
    }
  }
}
