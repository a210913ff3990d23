/** Small enough that even a chunk of costly items, such as those that are encrypted or sent, takes less than 5 ms. */
const CHUNK = 100;

/** Runs a computation without pauses. */
export function runToEnd<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The items that pass, in their order. Yields after every hundred. */
export function* filterInChunks<T>(items: Iterable<T>, passes: (item: T) => boolean): Generator<void, T[]> {
  const passed: T[] = [];
  yield* inChunks(items, (item) => {
    if (passes(item)) passed.push(item);
  });
  return passed;
}

/** Calls a function with each item, and yields after every hundred. */
export function* inChunks<T>(items: Iterable<T>, each: (item: T) => void): Generator<void, void> {
  let left = CHUNK;
  for (const item of items) {
    each(item);
    if (--left > 0) continue;
    left = CHUNK;
    yield;
  }
}
