import { toError } from '@detector-cluster/election/internal';

/** The callback by which an overridden method reports that it is done, with an error if it failed. */
export type Done = (error?: unknown) => void;

/**
 * Calls an overridden method. Settles when the method calls `done`. An exception or a rejected promise counts as failure.
 * A method that takes no `done` is done when its promise resolves.
 */
export function callMethod(
  target: object,
  method: (...args: never[]) => unknown,
  args: unknown[] = [],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(toError(error));
    const done: Done = (error) => (error === undefined || error === null ? resolve() : fail(error));
    try {
      const returned: unknown = Reflect.apply(method, target, [...args, done]);
      if (!isThenable(returned)) return;
      const takesDone = method.length > args.length;
      returned.then(() => (takesDone ? undefined : resolve()), fail);
    } catch (error) {
      fail(error);
    }
  });
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
