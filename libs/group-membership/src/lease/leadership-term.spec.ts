import { systemClock } from '@detector-cluster/election';
import { instantOf } from '@detector-cluster/election/internal';
import { describe, expect, it } from 'vitest';
import { RECORD_VERSION, type LeaderRecord } from '../store/leader-record.js';
import { MemoryLeaderStore } from '../store/memory-leader-store.js';
import { RecordAccess } from '../store/record-access.js';
import { LeadershipTerm } from './leadership-term.js';

const held: LeaderRecord = {
  version: RECORD_VERSION,
  group: 'g',
  epoch: 1,
  term: 1,
  revision: 1,
  leaseTtl: 5_000,
  lastId: 1,
  leader: { id: 1, address: 'a:1', name: 'a', boot: 'boot-a' },
  voters: [1],
};

const successor: LeaderRecord = {
  ...held,
  term: 2,
  revision: 5,
  leader: { id: 2, address: 'b:1', name: 'b', boot: 'boot-b' },
};

function gate() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

/** A store whose first change the test controls. */
class SlowStore extends MemoryLeaderStore {
  readonly begun = gate();
  private changes = 0;

  constructor(private readonly first: (swap: () => Promise<boolean>) => Promise<boolean>) {
    super();
  }

  override swap(expected: string | null, next: string): Promise<boolean> {
    if (this.changes++ > 0) return super.swap(expected, next);
    this.begun.open();
    return this.first(() => super.swap(expected, next));
  }
}

/** A term during its first renewal. */
async function renewing(store: SlowStore): Promise<LeadershipTerm> {
  await store.write(JSON.stringify(held));
  const leadershipTerm = new LeadershipTerm({
    access: new RecordAccess({
      store,
      group: 'g',
      clock: systemClock,
      timeout: 5_000,
      onWarning: () => undefined,
    }),
    clock: systemClock,
    validity: 60_000,
    renewInterval: 60_000,
    record: held,
    sentAt: instantOf(systemClock),
    voters: () => [1],
    renewed: () => undefined,
    lost: () => undefined,
    failed: () => undefined,
  });
  leadershipTerm.renewSoon();
  await store.begun.opened;
  return leadershipTerm;
}

describe('a term that ends during a renewal', () => {
  it('releases the renewed record, so that no member waits for a lease', async () => {
    const { open, opened } = gate();
    const store = new SlowStore((swap) => opened.then(swap));
    const leadershipTerm = await renewing(store);
    const end = leadershipTerm.end();
    open();
    expect(await end).toBe(3);
    expect(await store.get()).toMatchObject({ leader: null, revision: 3 });
  });

  it('releases it also when the answer to the renewal was lost', async () => {
    const store = new SlowStore(async (swap) => {
      await swap();
      throw new Error('connection lost');
    });
    const leadershipTerm = await renewing(store);
    expect(await leadershipTerm.end()).toBe(3);
    expect(await store.get()).toMatchObject({ leader: null, revision: 3 });
  });

  it('leaves the record of a successor unchanged', async () => {
    const { open, opened } = gate();
    const store = new SlowStore((swap) => opened.then(swap));
    const leadershipTerm = await renewing(store);
    await store.write(JSON.stringify(successor));
    const end = leadershipTerm.end();
    open();
    expect(await end).toBe(1);
    expect(await store.get()).toEqual(successor);
  });
});
