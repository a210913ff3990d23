import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MasterClient } from '../fixtures/master-client.fixture.js';
import { TestWorker } from '../fixtures/test-worker.fixture.js';
import { until } from '../fixtures/until.fixture.js';

const isConsecutive = (numbers: readonly number[]) =>
  numbers.every((n, i) => i === 0 || n === numbers[i - 1]! + 1);

describe('detections that are not confirmed', () => {
  let worker: TestWorker;

  beforeEach(async () => {
    worker = await TestWorker.startQuiet({ DETECTIONS_PER_SECOND: '100', LINGER_MS: '600000' });
  });
  afterEach(() => worker.stop());

  const watched = async (term: number): Promise<MasterClient> => {
    const master = await worker.connect(term, true);
    master.subscribe('d1;c1', 'd1;c2');
    await until('detections', () => master.numbers.length >= 20);
    return master;
  };
  const gone = (master: MasterClient) => {
    master.socket.terminate();
    return until('the close', async () => (await worker.stats()).connections.length === 0);
  };

  it('come first on the next connection, in their order, and then those that are new', async () => {
    const first = await watched(1);
    expect(first.numbers[0]).toBe(1);
    first.accept(10);
    // It was read before the answer.
    await first.held();
    await gone(first);
    const sent = first.numbers.length;
    await until('detections of the gap', async () => (await worker.stats()).unconfirmed > sent);
    const second = await worker.connect(2, true);
    await until('new detections', () => second.numbers.length > sent + 20);
    expect(second.numbers[0]).toBe(11);
    expect(second.numbers).toSatisfy(isConsecutive);
    expect(second.boot).toBe(first.boot);
    expect(second.detections.every(({ boot }) => boot === second.boot)).toBe(true);
  });

  it('stay after a confirmation of another start, and of what was not sent', async () => {
    const first = await watched(1);
    first.accept(10, 'another0');
    await first.held();
    await gone(first);
    const second = await worker.connect(2, true);
    await until('detections', () => second.numbers.length > 0);
    expect(second.numbers[0]).toBe(1);
    const received = second.numbers.at(-1)!;
    second.accept(1_000_000);
    await second.held();
    await gone(second);
    await until('a detection', async () => (await worker.stats()).unconfirmed > 0);
    const third = await worker.connect(3, true);
    await until('detections', () => third.numbers.length > 0);
    expect(third.numbers[0]).toBeGreaterThan(received);
    // Those that the worker sent after it had read the confirmation come again.
    expect(third.numbers[0]).toBeLessThanOrEqual(second.numbers.at(-1)! + 1);
  });

  it('are not kept for a master that confirms nothing', async () => {
    const old = await worker.connect(1);
    old.subscribe('d1;c1');
    await until('detections', () => old.numbers.length >= 20);
    await gone(old);
    const next = await worker.connect(2);
    await until('detections', () => next.numbers.length > 0);
    expect(next.numbers[0]).toBeGreaterThan(old.numbers.at(-1)!);
  });
});
