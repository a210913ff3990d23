import type { DesiredRead, DesiredState } from './desired-state-source.js';

/** Calls the source, possibly with a time limit. */
export type CallSource = <T>(call: () => T | PromiseLike<T>) => Promise<T>;

const callAtOnce: CallSource = async (call) => call();

/**
 * The pages of a source, each read by a call of its own. Ends the iterator of the source if it is not read to its end. Does not wait for
 * that, because a call that is pending may never end.
 */
export async function* desiredPages(
  read: () => DesiredRead,
  call: CallSource = callAtOnce,
): AsyncGenerator<DesiredState, void> {
  const given: DesiredState | AsyncIterable<DesiredState> = await call<
    DesiredState | AsyncIterable<DesiredState>
  >(read);
  if (!isIterable(given)) {
    yield checkedPage(given);
    return;
  }
  const iterator = given[Symbol.asyncIterator]();
  let finished = false;
  try {
    for (;;) {
      const { done, value } = await call(() => iterator.next());
      finished = done === true;
      if (done === true) return;
      yield checkedPage(value);
    }
  } finally {
    if (!finished) void close(iterator);
  }
}

async function close(iterator: AsyncIterator<DesiredState>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // Why the read has ended is known already.
  }
}

const isIterable = (
  given: DesiredState | AsyncIterable<DesiredState>,
): given is AsyncIterable<DesiredState> =>
  typeof given === 'object' && given !== null && Symbol.asyncIterator in given;

/** The source may be the application's own. */
function checkedPage(page: DesiredState): DesiredState {
  if (Array.isArray(page?.subscriptions) && Array.isArray(page.skipped)) return page;
  throw new TypeError(
    'desiredState: must return { subscriptions: […], skipped: […] }, or an async iterable of such pages',
  );
}
