import { toError } from '@detector-cluster/election/util';

/** How a method that is to be overridden says that it is done, with an error if it failed. */
export type Done = (error?: unknown) => void;

/**
 * Calls a method that is to be overridden. Settles when it calls `done`; what it throws, and a promise of it that rejects, count
 * as its failure. A promise of a method that takes no `done` says that it is done.
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
