import type { DetectionCallback, DetectionMeta, ImageDetectionResponse } from '../../model/detection.js';
import type { ProcessTrace } from '../tracing/detection-tracer.js';
import { toError } from '@detector-cluster/election/util';

export interface CallbackFailure {
  readonly callback: DetectionCallback;
  readonly error: Error;
}

/** A callback did not settle in time. */
export class CallbackTimeoutError extends Error {
  override readonly name = 'CallbackTimeoutError';

  constructor(readonly timeout: number) {
    super(`the callback did not finish within ${timeout} ms`);
  }
}

/**
 * Runs callbacks side by side and collects those that failed. Answers synchronously where all of them did: no promise
 * and no timer is made for a plain function.
 */
export function runCallbacks(
  callbacks: readonly DetectionCallback[],
  detection: ImageDetectionResponse,
  meta: DetectionMeta,
  timeout: number,
  trace?: ProcessTrace,
): CallbackFailure[] | Promise<CallbackFailure[]> {
  if (trace !== undefined) return trace.run(() => runCallbacks(callbacks, detection, meta, timeout));
  const failures: CallbackFailure[] = [];
  const running: Promise<void>[] = [];
  for (const callback of callbacks) {
    const failed = (thrown: unknown) => void failures.push({ callback, error: toError(thrown) });
    try {
      const result = callback(detection, meta);
      if (isThenable(result)) running.push(inTime(result, timeout).catch(failed));
    } catch (thrown) {
      failed(thrown);
    }
  }
  return running.length === 0 ? failures : Promise.all(running).then(() => failures);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function';
}

function inTime(promise: PromiseLike<unknown>, timeout: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new CallbackTimeoutError(timeout)), timeout);
    // A callback that never ends shall not keep a process alive that has stopped.
    timer.unref();
    promise.then(
      () => {
        clearTimeout(timer);
        resolve();
      },
      (thrown: unknown) => {
        clearTimeout(timer);
        reject(toError(thrown));
      },
    );
  });
}
