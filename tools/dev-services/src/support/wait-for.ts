import { setTimeout as sleep } from 'node:timers/promises';

/** A probe may take so long, also one that begins right before the deadline, because this process was paused. Milliseconds. */
const MIN_LIMIT = 1_000;

type Nothing = null | undefined | false;

/**
 * Calls `probe` every 50 ms until it finds something other than null, undefined and false. Also retries if `probe` rejects, because
 * processes may be down. Rejects with `what` after `timeout` ms, or when the last probe has had a second, and when `signal` aborts, even if `probe` never answers.
 */
export async function waitFor<T>(
  what: string,
  timeout: number,
  probe: () => Promise<T | Nothing> | T | Nothing,
  detail: () => Promise<string> | string = () => '',
  signal?: AbortSignal,
): Promise<T> {
  const deadline = performance.now() + timeout;
  let lastError = '';
  for (;;) {
    signal?.throwIfAborted();
    try {
      const found = await answerWithin(Math.max(MIN_LIMIT, deadline - performance.now()), probe, signal);
      if (found !== null && found !== undefined && found !== false) return found;
      lastError = '';
    } catch (error) {
      lastError = ` (${(error as Error).message})`;
    }
    if (performance.now() > deadline)
      throw new Error(`timed out after ${timeout} ms: ${what}${lastError}\n${await detail()}`.trim());
    await sleep(50);
  }
}

/**
 * The answer of a probe. Rejects when there is none after `ms`, or when `signal` aborts. A `fetch` needs it beside its own signal: on Node 20
 * one has been seen that never settled when its server was killed.
 */
export async function answerWithin<T>(ms: number, probe: () => T, signal?: AbortSignal): Promise<Awaited<T>> {
  const answered = new AbortController();
  const ended = signal === undefined ? answered.signal : AbortSignal.any([answered.signal, signal]);
  const noAnswer = async (): Promise<never> => {
    await sleep(ms, undefined, { signal: ended });
    throw new Error('no answer');
  };
  try {
    return await Promise.race([probe(), noAnswer()]);
  } finally {
    answered.abort();
  }
}
