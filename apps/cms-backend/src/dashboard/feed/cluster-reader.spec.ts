import { beforeEach, describe, expect, it } from 'vitest';
import { ClusterReader } from './cluster-reader.js';
import { testRecords } from './followed-records.fixture.js';

const SINCE = '2026-01-01T00:00:00.000Z';

const WORKER = {
  online: true,
  state: 'Ready',
  standing: 'open',
  problem: null,
  excess: { pauses: 1, dropped: 2, oversized: 3 },
  drainTotal: null,
  cpuUsage: 12.6,
  memoryUsage: null,
  gpuUsage: null,
  gpuMemoryUsage: 0.4,
  subscriptionCount: 2,
  connectedAt: SINCE,
};

const actual = (assignedWorkerUrl: string, status = 'active') => ({
  assignedWorkerUrl,
  status,
  reason: 'running',
  since: SINCE,
});

describe('ClusterReader', () => {
  let records: ReturnType<typeof testRecords>;
  let reader: ClusterReader;

  beforeEach(() => {
    records = testRecords();
    reader = new ClusterReader(records, () => new Map([['ws://a', 30]]), 10_000);
  });

  it('makes rows of the records', async () => {
    records.workers.set({
      'ws://a': { ...WORKER, name: 'Rack 1', drainTotal: 4 },
      'ws://b': { ...WORKER, subscriptionCount: 0, connectedAt: '' },
    });
    records.assignments.set({ 10: 'n1', 2: 'n1', 0: 'n2' });
    records.subscriptions.set({
      'd1;c': actual('ws://a'),
      'd2;c': actual('ws://a', 'failed'),
      'd3;c': actual('', 'pending'),
    });
    records.models.set({
      'd1;c': { name: 'zebra', version: null },
      'd2;c': { name: 'ant', version: 'v1' },
      'd3;c': { name: 'unplaced', version: null },
    });
    records.skipped.set({ d9: { reason: 'no-model', detail: 'why' } });
    await reader.read();
    expect({ ...reader.workers() }).toEqual({
      'ws://a': {
        url: 'ws://a',
        name: 'Rack 1',
        online: true,
        state: 'Ready',
        standing: 'open',
        problem: null,
        excess: { pauses: 1, dropped: 2, oversized: 3 },
        drainTotal: 4,
        cpuUsage: 13,
        memoryUsage: null,
        gpuUsage: null,
        gpuMemoryUsage: 0,
        capacity: 30,
        subscriptionCount: 2,
        models: ['ant · v1', 'zebra'],
        connectedAt: SINCE,
      },
      'ws://b': expect.objectContaining({ capacity: null, models: [], connectedAt: null, drainTotal: null }),
    });
    const subscriptions = reader.subscriptions!;
    expect(Object.keys(subscriptions).sort()).toEqual(['d1;c', 'd2;c', 'd3;c']);
    expect(subscriptions['d2;c']).toEqual({
      subscriptionIdentifier: 'd2;c',
      workerUrl: 'ws://a',
      model: 'ant',
      version: 'v1',
      status: 'failed',
      reason: 'running',
      detail: '',
      since: SINCE,
    });
    expect({ ...reader.skipped }).toEqual({ d9: { displayId: 'd9', reason: 'no-model', detail: 'why' } });
    expect(reader.partitions()).toEqual(
      new Map([
        ['n1', [2, 10]],
        ['n2', [0]],
      ]),
    );
  });

  it('reads the models only when subscriptions have changed', async () => {
    const first = actual('ws://a');
    records.subscriptions.set({ 'd1;c': first });
    await reader.read();
    const { 'd1;c': before } = reader.subscriptions!;
    await reader.read();
    expect([records.subscriptions.reads, records.models.reads]).toEqual([2, 1]);
    records.subscriptions.set({ 'd1;c': first, 'd2;c': actual('ws://a') });
    await reader.read();
    expect(records.models.reads).toBe(2);
    expect(reader.subscriptions!['d1;c']).toBe(before);
    records.subscriptions.set({ 'd1;c': actual('ws://a', 'failed') });
    await reader.read();
    expect(reader.subscriptions!['d1;c']).toMatchObject({ status: 'failed' });
  });

  it('reads very many subscriptions less often', async () => {
    const record = actual('');
    records.subscriptions.set(
      Object.fromEntries(Array.from({ length: 25_000 }, (_, i) => [`d${i};c`, record])),
    );
    const readings: number[] = [];
    for (let i = 0; i < 7; i++) {
      await reader.read();
      readings.push(records.subscriptions.reads);
    }
    expect(readings).toEqual([1, 1, 1, 2, 2, 2, 3]);
  });

  it('does not wait for subscriptions that take long, and has them later', async () => {
    records.workers.set({ 'ws://a': WORKER });
    records.subscriptions.set({ 'd1;c': actual('ws://a') });
    reader = new ClusterReader(records, () => new Map(), 20);
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    records.subscriptions.onRead = async () => {
      await released;
      throw new Error('the connection broke');
    };
    await reader.read();
    await reader.read();
    expect(records.subscriptions.reads).toBe(1);
    expect(Object.keys(reader.workers())).toEqual(['ws://a']);
    expect(reader.subscriptions).toBeNull();

    release();
    await new Promise(setImmediate);
    expect(reader.subscriptions).toBeNull();
    reader = new ClusterReader(records, () => new Map(), 10_000);
    await expect(reader.read()).rejects.toThrow('the connection broke');

    records.subscriptions.onRead = () => undefined;
    await reader.read();
    expect(Object.keys(reader.subscriptions!)).toEqual(['d1;c']);
  });
});
