import { systemClock } from '@detector-cluster/election';
import { VirtualClock } from '@detector-cluster/election/testing';
import { describe, expect, it } from 'vitest';
import type { LeaderRecord } from './leader-record.js';
import type { LeaderStore } from './leader-store.js';
import { MemoryLeaderStore } from './memory-leader-store.js';
import { RecordAccess } from './record-access.js';

const record: LeaderRecord = {
  version: 1,
  group: 'test',
  epoch: 5,
  term: 7,
  revision: 9,
  leaseTtl: 5_000,
  lastId: 3,
  leader: { id: 3, address: 'leader:1', name: 'leader', boot: 'b3' },
  voters: [],
};

function accessTo(store: LeaderStore, clock = systemClock) {
  const warnings: string[] = [];
  const onWarning = (message: string) => warnings.push(message);
  return { warnings, access: new RecordAccess({ store, group: 'test', clock, timeout: 1_000, onWarning }) };
}

describe('RecordAccess', () => {
  it('distinguishes an empty store from one that fails', async () => {
    expect(await accessTo(new MemoryLeaderStore()).access.read()).toEqual({ text: null, record: null });
    const failing = Object.assign(new MemoryLeaderStore(), {
      read: () => Promise.reject(new Error('connection refused')),
    });
    await expect(accessTo(failing).access.read()).rejects.toMatchObject({
      name: 'LeaderStoreError',
      message: expect.stringContaining('connection refused'),
    });
  });

  it('does not wait for a store that does not answer', async () => {
    const clock = new VirtualClock();
    const silent = Object.assign(new MemoryLeaderStore(), { read: () => new Promise<null>(() => undefined) });
    const looking = expect(accessTo(silent, clock).access.read()).rejects.toMatchObject({
      message: expect.stringContaining('it did not answer within 1000 ms'),
    });
    clock.advance(1_000);
    await looking;
    expect(clock.pending).toBe(0);
  });

  it.each([
    ['no JSON', 'nonsense{', /not JSON/],
    ['no record', '{"leader":7}', /version/],
    ['a record of a newer version', JSON.stringify({ ...record, version: 2 }), /version 2/],
    ['a record of another group', JSON.stringify({ ...record, group: 'other' }), /group 'other'/],
    ['a record with a wrong term', JSON.stringify({ ...record, term: 'x' }), /term/],
  ])('takes %s for unknown, says so once, and can replace exactly that', async (_what, text, warning) => {
    const store = new MemoryLeaderStore();
    await store.write(text);
    const { access, warnings } = accessTo(store);
    expect(await access.read()).toEqual({ text, record: null });
    await access.read();
    expect(warnings).toEqual([expect.stringMatching(warning)]);
    expect(await access.swap('something else', 'x')).toBe(false);
    expect(await access.swap(text, JSON.stringify(record))).toBe(true);
    expect((await access.read()).record).toEqual(record);
  });

  it('works with a store that has get, set and cleanup only', async () => {
    let kept: LeaderRecord | null = null;
    const { access } = accessTo({
      get: () => Promise.resolve(kept),
      set: (next) => {
        kept = next;
        return Promise.resolve();
      },
      cleanup: () => Promise.resolve(),
    });
    const text = JSON.stringify(record);
    expect(await access.swap(null, text)).toBe(true);
    expect(await access.swap(null, text)).toBe(false);
    expect(await access.read()).toEqual({ text, record });
  });
});
