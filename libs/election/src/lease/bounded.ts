import type { Clock } from '../util/clock.js';

/** A store did not answer in time. It may have executed the call, or may still execute it. */
export class StoreTimeoutError extends Error {
  override readonly name = 'StoreTimeoutError';
  readonly code = 'STORE_TIMEOUT';

  /** @param timeout Milliseconds. */
  constructor(store: string, timeout: number) {
    super(`${store} did not answer within ${timeout} ms`);
  }
}

/** Waits at most `timeout` ms for a call of a store. */
export function bounded<Result>(
  store: string,
  timeout: number,
  clock: Clock,
  call: Promise<Result>,
): Promise<Result> {
  return withTimeout(call, timeout, clock, () => new StoreTimeoutError(store, timeout));
}

/** Waits at most `timeout` ms for a promise, and then rejects with `late()`. */
export function withTimeout<Result>(
  promise: Promise<Result>,
  timeout: number,
  clock: Clock,
  late: () => Error,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => reject(late()), timeout);
    const settle = (then: () => void) => {
      clock.clearTimeout(timer);
      then();
    };
    promise.then(
      (result) => settle(() => resolve(result)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}
