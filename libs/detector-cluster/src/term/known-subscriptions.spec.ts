import type { FencedStore } from '@detector-cluster/election/fence';
import { expect, it, vi } from 'vitest';
import { clusterKeys } from '../shared/cluster-keys.js';
import { NetworkPolicy } from '../shared/network-policy.js';
import type { Described } from './describe-subscription.js';
import { KnownSubscriptions } from './known-subscriptions.js';

const store = { write: async () => [] } as unknown as FencedStore;

function knownSubscriptions() {
  const known = new KnownSubscriptions(
    store,
    clusterKeys(''),
    null,
    null,
    NetworkPolicy.default,
    () => undefined,
  );
  const take = async (ids: readonly string[], ofSource: boolean) => {
    const described = ids.map((id): [string, Described | null] => [id, ofSource ? check(id) : null]);
    await known.apply({
      subscriptions: new Map(described),
      isOfSource: () => ofSource,
      skipped: new Map(),
      with: () => undefined,
    });
  };
  const check = (id: string) =>
    known.check({
      subscriptionIdentifier: id,
      createdAt: new Date(0).toISOString(),
      rtspUrl: 'rtsp://10.0.0.1/main',
      modelId: 1,
      modelName: 'plates',
      modelUrl: 'http://10.0.0.1/plates',
    }) as Described;
  return { known, take };
}

it('knows the subscriptions of each display that come from the source', async () => {
  const { known, take } = knownSubscriptions();
  await take(['a;1', 'b;1', 'b;2', 'b;3'], true);
  expect(['a', 'b', 'c'].map((display) => [...known.ofDisplay(display)])).toEqual([
    ['a;1'],
    ['b;1', 'b;2', 'b;3'],
    [],
  ]);
  await take(['a;1', 'b;2', 'b;3'], false);
  await take(['b;4'], true);
  expect(['a', 'b'].map((display) => [...known.ofDisplay(display)])).toEqual([[], ['b;1', 'b;4']]);
  expect(['b;1', 'b;2', 'b;4'].map((id) => known.isOfSource(id))).toEqual([true, false, true]);
  await take(['b;1', 'b;4'], false);
  expect([...known.ofDisplay('b')]).toEqual([]);
});

it('searches no list of the cameras of one display for each of them', async () => {
  const { known, take } = knownSubscriptions();
  const ids = Array.from({ length: 1_000 }, (_, i) => `site;camera-${i}`);
  const includes = vi.spyOn(Array.prototype, 'includes');
  await take(ids, true);
  expect(ids.every((id) => known.isOfSource(id))).toBe(true);
  const searched = includes.mock.contexts.reduce<number>((sum, list) => sum + (list as string[]).length, 0);
  includes.mockRestore();
  expect(searched).toBeLessThan(10 * ids.length);
});
