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

/** Waits at most `timeout` ms for a call. */
export function bounded<Result>(
  store: string,
  timeout: number,
  clock: Clock,
  call: Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => reject(new StoreTimeoutError(store, timeout)), timeout);
    const settle = (then: () => void) => {
      clock.clearTimeout(timer);
      then();
    };
    call.then(
      (result) => settle(() => resolve(result)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}
