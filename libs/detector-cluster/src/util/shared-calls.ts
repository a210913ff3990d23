/**
 * Callers that arrive during a call share the next one, which begins when the current one has ended. Each answer is as
 * fresh as that of a separate call, and there is never more than one call at a time.
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
