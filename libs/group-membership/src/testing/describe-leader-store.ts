import assert from 'node:assert/strict';
import { eventually, type TestRunner } from '@detector-cluster/election/testing';
import type { LeaderRecord } from '../store/leader-record.js';
import type { AtomicLeaderStore } from '../store/leader-store.js';

/** One record in one store, as the conformance suite uses it. Each test gets a new one. */
export interface LeaderStoreHarness {
  /** All stores of a harness hold the same record. */
  createStore(): AtomicLeaderStore;
  /** Replaces the record with a text that is not a record. */
  spoil?(text: string): Promise<void>;
  /** Stops the server, as SIGKILL would, until {@link revive}. */
  kill?(): Promise<void>;
  revive?(): Promise<void>;
  dispose(): Promise<void>;
}

const record = (revision: number): LeaderRecord => ({
  version: 1,
  group: 'conformance',
  epoch: 1_700_000_000_000,
  term: 1_700_000_000_001,
  revision,
  leaseTtl: 5_000,
  lastId: 3,
  leader: { id: 3, address: '10.0.0.7:7400', name: 'näme "quoted"', boot: 'b3' },
  voters: [1, 2, 3],
});
const text = (revision: number) => JSON.stringify(record(revision));

/** How long a server may take to come back. Milliseconds. */
const RECOVERY = 20_000;

/**
 * Declares the tests that every `AtomicLeaderStore` must pass.
 *
 * @param createHarness Called for each test.
 * @param options.restarts Whether its harnesses can kill and revive the server. Default false.
 * @param runner Default: the global functions of Jest, Vitest or Mocha.
 */
export function describeLeaderStore(
  name: string,
  createHarness: () => Promise<LeaderStoreHarness>,
  options: { readonly restarts?: boolean } = {},
  runner: TestRunner = globalThis as unknown as TestRunner,
): void {
  const timeout = 60_000;
  const { describe, beforeEach, afterEach } = runner;
  const it = (what: string, body: () => Promise<void>) => runner.it(what, body, timeout);

  describe(`${name} as a leader store`, () => {
    let harness: LeaderStoreHarness;
    let stores: AtomicLeaderStore[];
    const open = () => {
      const store = harness.createStore();
      stores.push(store);
      return store;
    };

    beforeEach(async () => {
      stores = [];
      harness = await createHarness();
    }, timeout);

    afterEach(async () => {
      await Promise.all(stores.map((store) => store.cleanup()));
      await harness.dispose();
    }, timeout);

    it('is empty at first', async () => {
      const store = open();
      assert.equal(await store.get(), null);
      assert.equal(await store.read(), null);
    });

    it('returns what was stored, to all clients', async () => {
      await open().set(record(1));
      const other = open();
      assert.deepEqual(await other.get(), record(1));
      await other.set(record(2));
      assert.deepEqual(await stores[0]!.get(), record(2));
      assert.equal(await other.read(), text(2));
    });

    it('swaps only the current record', async () => {
      const store = open();
      assert.equal(await store.swap(text(1), text(2)), false);
      assert.equal(await store.swap(null, text(1)), true);
      assert.equal(await store.swap(null, text(2)), false);
      assert.equal(await store.swap(text(2), text(3)), false);
      assert.equal(await store.swap(text(1), text(2)), true);
      assert.equal(await store.read(), text(2));
    });

    it('lets exactly one of many concurrent swaps win, each time', async () => {
      const contenders = Array.from({ length: 5 }, open);
      let current: string | null = null;
      for (let round = 1; round <= 5; round++) {
        const tries = contenders.flatMap((store, i) =>
          [0, 1].map((n) => {
            const next = text(round * 100 + i * 10 + n);
            return store.swap(current, next).then((won) => (won ? [next] : []));
          }),
        );
        const winners: string[] = (await Promise.all(tries)).flat();
        assert.equal(winners.length, 1);
        current = await contenders[0]!.read();
        assert.equal(current, winners[0]);
      }
    });

    it('rejects a text that is not a record, and can replace it', async () => {
      if (!harness.spoil) return;
      await harness.spoil('nonsense{');
      const store = open();
      assert.equal(await store.get(), null);
      assert.equal(await store.read(), 'nonsense{');
      assert.equal(await store.swap('nonsense{', text(1)), true);
      assert.deepEqual(await store.get(), record(1));
    });

    if (options.restarts)
      it('rejects while the server is unavailable instead of reporting no record, and works when the server is back', async () => {
        const store = open();
        await store.set(record(1));
        await harness.kill!();
        await assert.rejects(store.get());
        await assert.rejects(store.swap(null, text(2)));
        await harness.revive!();
        await eventually('the store answers', RECOVERY, () =>
          store.set(record(3)).then(
            () => true,
            () => false,
          ),
        );
        assert.deepEqual(await store.get(), record(3));
      });
  });
}
