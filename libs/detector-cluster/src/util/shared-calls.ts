/**
 * Whoever asks while a call is under way shares the next one with all others who do, and it begins when that has ended: each
 * answer is as new as a call of one's own, and there is never more than one at a time.
 */
export function sharedCalls<T>(call: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | undefined;
  let next: Promise<T> | undefined;
  const begin = (): Promise<T> => {
    const begun = call();
    running = begun.then(end, end);
    return begun;
  };
  const end = () => {
    running = undefined;
  };
  return () => {
    // First: when a call has just ended, the next may be about to begin.
    if (next !== undefined) return next;
    if (running === undefined) return begin();
    next = running.then(() => {
      next = undefined;
      return begin();
    });
    return next;
  };
}
