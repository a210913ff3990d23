import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT = 30_000;

/** Polls until there is an answer; throws with `what` after 30 s. */
export async function until<Answer>(what: string, ask: () => Promise<Answer | undefined>): Promise<Answer> {
  const deadline = performance.now() + TIMEOUT;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`waited ${TIMEOUT} ms for ${what}`);
    await sleep(25);
  }
}
