import { CloseCode } from '@detector-cluster/worker-protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { TestWorker } from '../fixtures/test-worker.fixture.js';
import { until } from '../fixtures/until.fixture.js';

describe('fencing', () => {
  let worker: TestWorker;
  afterEach(() => worker.stop());

  it('closes the connection of an older term with 4409 and refuses its return', async () => {
    worker = await TestWorker.startQuiet();
    const old = await worker.connect(5);
    const successor = await worker.connect(6);
    expect(await until('the close', () => old.closed)).toEqual({
      code: CloseCode.Superseded,
      reason: 'superseded by term 6',
    });
    const again = worker.dial(5);
    expect(await until('the refusal', () => again.refused)).toEqual({ status: 409, highestTerm: '6' });
    const termless = worker.dial();
    expect((await until('the refusal', () => termless.refused)).status).toBe(409);
    expect(successor.closed).toBeUndefined();
    expect(await worker.stats()).toMatchObject({
      highestTerm: 6,
      refusedUpgrades: 2,
      staleCommands: 0,
      connections: [{ term: 6, masterId: 'master-6', current: true }],
    });
  });

  it('ignores what an older master still sends while its socket closes', async () => {
    worker = await TestWorker.startQuiet();
    const old = await worker.connect(5);
    // The old master does not read, so it does not know that it was replaced.
    old.socket.pause();
    const successor = await worker.connect(6);
    old.subscribe('d1;c1');
    await until('the refused command', async () => (await worker.stats()).refusedCommands === 1);
    expect(await successor.held()).toEqual([]);
    expect((await worker.stats()).staleCommands).toBe(0);
  });

  it('lets a second socket of the same term live, and sends detections to the newest', async () => {
    worker = await TestWorker.startQuiet({ DETECTIONS_PER_SECOND: '100' });
    const first = await worker.connect(5);
    first.subscribe('d1;c1');
    await until('a detection on the first', () => first.detections.length > 0);
    const second = await worker.connect(5);
    await until('detections on the second', () => second.detections.length > 3);
    expect(first.closed).toBeUndefined();
    const sequences = [...first.sequences('d1;c1'), ...second.sequences('d1;c1')];
    expect(sequences).toEqual(sequences.map((_, i) => i + 1));
  });

  it.each(['', 'abc', '-1', '1.5', '9'.repeat(20)])('answers 400 to the term %j', async (term) => {
    worker = await TestWorker.startQuiet();
    const client = worker.dial(term);
    expect((await until('the refusal', () => client.refused)).status).toBe(400);
  });

  it('obeys every master when off, and counts commands of older terms', async () => {
    worker = await TestWorker.startQuiet({ FENCING: 'off' });
    const old = await worker.connect(5);
    const successor = await worker.connect(6);
    old.subscribe('d1;c1');
    expect(await old.held()).toEqual(['d1;c1']);
    expect(await successor.held()).toEqual(['d1;c1']);
    const stats = await worker.stats();
    expect(stats.commands.stale).toMatchObject({ subscribe: 1, requestState: 1 });
    expect(stats.staleCommands).toBe(2);
    expect(stats.connections).toHaveLength(2);
    expect((await worker.connect()).closed).toBeUndefined();
  });
});
