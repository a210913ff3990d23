import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { eventually } from '../../../../test/support/until.js';
import type { ChangedRows } from '../sources/changed-rows.js';
import type { DesiredState } from '../sources/desired-state-source.js';
import { SubscriptionTrigger } from '../sources/subscription-trigger.js';
import { PlainWorker } from '../workers/plain-worker.fixture.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const TIMEOUT = 20_000;

/** Displays and the addresses of their cameras. */
const threeRows = () => new Map(['d1', 'd2', 'd3'].map((id) => [id, `rtsp://cameras/${id}`]));

const stateOf = (
  rows: ReadonlyMap<string, string>,
  displays: Iterable<string> = rows.keys(),
): DesiredState => ({
  subscriptions: [...displays].flatMap((display) => {
    const rtspUrl = rows.get(display);
    const subscriptionIdentifier = `${display};c-${display}`;
    const createdAt = '2026-01-01T00:00:00.000Z';
    return rtspUrl === undefined
      ? []
      : [{ subscriptionIdentifier, rtspUrl, modelId: 1, modelName: 'cars', createdAt }];
  }),
  skipped: [],
});

describe('a change whose rows are known', () => {
  const running: { stop(): Promise<unknown> }[] = [];
  afterEach(async () => {
    for (const one of running.splice(0).toReversed()) await one.stop();
  });

  it('has the master read what these rows decide, and nothing else', async () => {
    const worker = await PlainWorker.start();
    running.push(worker);
    const rows = threeRows();
    const read = { all: 0, some: [] as ChangedRows[] };
    const desiredState = {
      read: async () => {
        read.all++;
        return stateOf(rows);
      },
      readSome: async (changed: ChangedRows) => {
        read.some.push(changed);
        return stateOf(rows, changed.displays);
      },
    };
    const prefix = `{${randomUUID()}}:`;
    const options = { prefix, workers: [worker.url], desiredState };
    const master = await ClusterProcess.start(options);
    running.push(master);
    await master.active(3);
    const other = await ClusterProcess.start(options);
    running.push(other);
    const { all } = read;
    const trigger = other.app.get(SubscriptionTrigger);

    rows.set('d2', 'rtsp://cameras/elsewhere');
    trigger.triggerSubscriptionUpdate('display.updated', undefined, { displays: ['d2'] });
    await eventually(
      'the change',
      TIMEOUT,
      () => worker.addresses.get('d2;c-d2') === 'rtsp://cameras/elsewhere',
    );
    rows.delete('d1');
    rows.set('d4', 'rtsp://cameras/d4');
    trigger.triggerSubscriptionUpdate('transaction', undefined, { displays: ['d1', 'd4'] });
    await eventually(
      'the others',
      TIMEOUT,
      () => worker.addresses.has('d4;c-d4') && !worker.addresses.has('d1;c-d1'),
    );
    await master.active(3);
    expect(read.some.map(({ displays }) => displays)).toEqual([['d2'], ['d1', 'd4']]);
    expect(read.all).toBe(all);

    rows.set('d3', 'rtsp://cameras/unnamed');
    trigger.triggerSubscriptionUpdate('display.updated', 'd3');
    await eventually(
      'the address that no change has named',
      TIMEOUT,
      () => worker.addresses.get('d3;c-d3') === 'rtsp://cameras/unnamed',
    );
    expect(read.all).toBe(all + 1);
  });

  it('removes a subscription with an event that tells a skipped display from one that is gone', async () => {
    const worker = await PlainWorker.start();
    running.push(worker);
    const rows = threeRows();
    const read = async () => {
      const state = stateOf(rows);
      if (!rows.has('d1')) state.skipped.push({ displayId: 'd1', reason: 'no-camera', detail: '' });
      return state;
    };
    const prefix = `{${randomUUID()}}:`;
    const master = await ClusterProcess.start({ prefix, workers: [worker.url], desiredState: { read } });
    running.push(master);
    const { cluster } = master;
    await master.active(3);
    rows.delete('d1');
    rows.delete('d2');
    await cluster.regenerate();
    await eventually('both events', TIMEOUT, async () => {
      const removed = (await cluster.listEvents()).filter(({ type }) => type === 'subscription-removed');
      return removed.length === 2;
    });
    expect(await cluster.listEvents()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ subscriptionIdentifier: 'd1;c-d1', skipped: 'no-camera' }),
        expect.objectContaining({ subscriptionIdentifier: 'd2;c-d2', skipped: null }),
      ]),
    );
  });

  it('reaches its worker in the middle of a read of everything, which does not undo it', async () => {
    const worker = await PlainWorker.start();
    running.push(worker);
    const rows = threeRows();
    const test = new EventEmitter();
    let holds = false;
    let held = false;
    const desiredState = {
      async *read() {
        const snapshot = new Map(rows);
        yield stateOf(
          snapshot,
          ['d1', 'd2'].filter((display) => snapshot.has(display)),
        );
        if (holds) {
          held = true;
          await once(test, 'continues');
        }
        yield stateOf(
          snapshot,
          ['d3', 'd4'].filter((display) => snapshot.has(display)),
        );
      },
      readSome: ({ displays }: ChangedRows) => Promise.resolve(stateOf(rows, displays)),
    };
    const prefix = `{${randomUUID()}}:`;
    const master = await ClusterProcess.start({ prefix, workers: [worker.url], desiredState });
    running.push(master);
    await master.active(3);
    const trigger = master.app.get(SubscriptionTrigger);

    holds = true;
    rows.set('d4', 'rtsp://cameras/d4');
    trigger.triggerSubscriptionUpdate('display.createdMany');
    await eventually('the read of everything', TIMEOUT, () => held);
    holds = false;
    rows.set('d2', 'rtsp://cameras/elsewhere');
    rows.set('d3', 'rtsp://cameras/elsewhere');
    rows.delete('d1');
    trigger.triggerSubscriptionUpdate('transaction', undefined, { displays: ['d1', 'd2', 'd3'] });
    const followed = () =>
      worker.addresses.get('d2;c-d2') === 'rtsp://cameras/elsewhere' &&
      worker.addresses.get('d3;c-d3') === 'rtsp://cameras/elsewhere' &&
      !worker.addresses.has('d1;c-d1');
    await eventually('the changes', TIMEOUT, followed);
    expect(worker.addresses.has('d4;c-d4')).toBe(false);

    test.emit('continues');
    await eventually('the result of the read of everything', TIMEOUT, () => worker.addresses.has('d4;c-d4'));
    expect(followed()).toBe(true);
  });
});
