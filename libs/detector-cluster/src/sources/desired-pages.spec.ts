import { describe, expect, it } from 'vitest';
import { ApplicationCalls } from '../shared/application-calls.js';
import { desiredPages, type CallSource } from './desired-pages.js';
import type { DesiredState } from './desired-state-source.js';

const page = (displayId: string): DesiredState => ({
  subscriptions: [],
  skipped: [{ displayId, reason: 'no-camera', detail: '' }],
});
const never = () => new Promise<never>(() => undefined);

async function namesOf(pages: AsyncIterable<DesiredState>): Promise<string[]> {
  const names: string[] = [];
  for await (const { skipped } of pages) names.push(...skipped.map(({ displayId }) => displayId));
  return names;
}

/** Pages that note whether their iterator was closed. */
function closable(
  next: () => Promise<IteratorResult<DesiredState, undefined>>,
  returns = () => Promise.resolve(),
) {
  const seen = { closed: 0 };
  const iterable: AsyncIterable<DesiredState> = {
    [Symbol.asyncIterator]: () => ({
      next,
      return: async () => {
        seen.closed++;
        await returns();
        return { done: true, value: undefined };
      },
    }),
  };
  return { iterable, seen };
}

function pagesThenEnd(count: number): () => Promise<IteratorResult<DesiredState, undefined>> {
  let left = count;
  return async () => (left-- > 0 ? { done: false, value: page('a') } : { done: true, value: undefined });
}

const limited =
  (timeout: number, signal?: AbortSignal): CallSource =>
  (call) =>
    new ApplicationCalls().run('read', timeout, call, signal);

describe('the pages of a source', () => {
  it.each<[string, () => Promise<DesiredState> | AsyncIterable<DesiredState>, string[]]>([
    ['everything at once', () => Promise.resolve(page('a')), ['a']],
    [
      'an async generator',
      async function* () {
        yield page('a');
        yield page('b');
      },
      ['a', 'b'],
    ],
    ['no page', async function* () {}, []],
  ])('are those of %s', async (_, read, names) => {
    expect(await namesOf(desiredPages(read))).toEqual(names);
  });

  it.each([null, undefined, [], { subscriptions: [] }, 'rows'])('are no %j', async (given) => {
    const read = () => Promise.resolve(given as never);
    await expect(namesOf(desiredPages(read))).rejects.toThrow(/^desiredState: must return \{ subscriptions/);
    const pages = async function* () {
      yield given as never;
    };
    await expect(namesOf(desiredPages(pages))).rejects.toThrow(/^desiredState: must return/);
  });

  it('are read by a call each, so that a time limit holds for each of them', async () => {
    const { iterable, seen } = closable(pagesThenEnd(3));
    let calls = 0;
    const counted: CallSource = async (call) => {
      calls++;
      return call();
    };
    expect(await namesOf(desiredPages(() => iterable, counted))).toEqual(['a', 'a', 'a']);
    // One more for the iterable, and one for its end.
    expect({ calls, ...seen }).toEqual({ calls: 5, closed: 0 });
  });

  it('end the iterator of a source that does not answer in time, and do not wait for that', async () => {
    const { iterable, seen } = closable(never, never);
    await expect(namesOf(desiredPages(() => iterable, limited(20)))).rejects.toThrow(
      'read has not answered within 20 ms',
    );
    expect(seen.closed).toBe(1);
  });

  it('end the iterator when the reader aborts, stops reading or finds an invalid page', async () => {
    const aborted = closable(never, () => Promise.reject(new Error('cannot be closed')));
    const abort = new AbortController();
    const reading = namesOf(desiredPages(() => aborted.iterable, limited(60_000, abort.signal)));
    setTimeout(() => abort.abort(new Error('the term is over')), 10);
    await expect(reading).rejects.toThrow('the term is over');

    const left = closable(() => Promise.resolve({ done: false, value: page('a') }));
    for await (const _ of desiredPages(() => left.iterable)) break;

    const invalid = closable(() => Promise.resolve({ done: false, value: null as never }));
    await expect(namesOf(desiredPages(() => invalid.iterable))).rejects.toThrow('desiredState');
    expect([aborted, left, invalid].map(({ seen }) => seen.closed)).toEqual([1, 1, 1]);
  });

  it('run the cleanup of an async generator that is left', async () => {
    let open = false;
    const read = async function* () {
      open = true;
      try {
        for (;;) yield page('a');
      } finally {
        open = false;
      }
    };
    for await (const _ of desiredPages(read)) {
      expect(open).toBe(true);
      break;
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(open).toBe(false);
  });
});
