import { startEtcd, startPostgres } from '@detector-cluster/dev-services';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { useArena } from './support/use-arena.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Long enough for a leader of a busy machine that must keep its lease until it is ended. Milliseconds. */
const LOCK_TTL = 6_000;

interface Store {
  readonly url: string;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

describe.each([
  ['etcd', (): Promise<Store> => startEtcd()],
  ['postgres', (): Promise<Store> => startPostgres()],
] as const)('an election on %s', (backend, start) => {
  const startArena = useArena();
  let store: Store;
  beforeAll(async () => {
    store = await start();
  });
  afterAll(() => store.stop());

  it('never has two leaders while processes are killed, frozen, ended or restarted', async () => {
    const arena = await startArena(4, { backend, lockTtl: LOCK_TTL, url: store.url });

    (await arena.settled()).kill();
    const frozen = await arena.settled();
    const from = arena.journal.read();
    frozen.pause();
    expect(await arena.next('acquired', from)).toMatchObject({ reason: 'expired' });
    frozen.resume();
    expect(await arena.next('lost', from, ({ owner }) => owner === frozen.id)).toMatchObject({
      reason: 'expired',
    });

    await arena.settled();
    await store.restart();
    const ending = await arena.settled();
    const ended = arena.journal.read();
    await ending.terminate();
    expect(await arena.next('acquired', ended)).toMatchObject({ reason: 'released' });
    await arena.settled();
  });

  it('is a backend of MasterElectionModule', async () => {
    const arena = await startArena(3, { api: 'MasterElection', backend, lockTtl: LOCK_TTL, url: store.url });
    const first = await arena.settled();
    const { term } = arena.journal.views.get(first.id)!;
    first.kill();
    const next = await arena.settled();
    expect(next).not.toBe(first);
    expect(arena.journal.views.get(next.id)!.term).toBeGreaterThan(term);
  });
});
