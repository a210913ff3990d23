import { type ChangedRows } from '../changed-rows.js';
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
    | {
        /** Called with each change, its causes joined with a comma. */ trigger: ChangeTrigger;
        publish?: never;
      }
    | {
        /** Called with each change. The extension does not wait for it; errors go to `onError`. */
        publish: (change: SubscriptionChange) => unknown;
        trigger?: never;
      }
  );

/** Returns a function that publishes. It never throws and never makes its caller wait. */
export function publisherOf({ trigger, publish, onError }: SubscriptionTriggersOptions): Publish {
  const attempt = async (change: SubscriptionChange) => {
    try {
      await (trigger
        ? trigger.triggerSubscriptionUpdate(change.causes.join(','), undefined, change.rows ?? undefined)
        : publish?.(change));
    } catch (error) {
      try {
        onError?.(error);
      } catch {
        // No other handler could receive the error.
      }
    }
  };
  // In a later turn, so that a slow synchronous publisher does not delay the result of the write.
  return (change) => void setImmediate(() => void attempt(change));
}

/** What a committed write or transaction may have changed. */
export interface SubscriptionChange {
  /** e.g. `camera.updated`, `display.created`, `database.changed` (raw SQL); without repetition. */
  readonly causes: readonly string[];
  /** The rows that were written; null if not all of them are known. */
  readonly rows: ChangedRows | null;
}

export type Publish = (change: SubscriptionChange) => void;
