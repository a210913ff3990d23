import type { Clock } from '@detector-cluster/election';

/** Settles as `call` does, or rejects with `late()` after `timeout` ms. A later result is dropped. */
export function bounded<Value>(
  call: () => Promise<Value>,
  timeout: number,
  clock: Clock,
  late: () => Error,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => reject(late()), timeout);
    Promise.resolve()
      .then(call)
      .then(resolve, reject)
      .finally(() => clock.clearTimeout(timer));
  });
}
