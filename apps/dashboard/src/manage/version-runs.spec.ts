import type { SubscriptionRow } from '@detector-cluster/dashboard-protocol';
import { describe, expect, it, vi } from 'vitest';
import { versionRuns } from './version-runs.js';

const row = (model: string | null, version: string | null, more: Partial<SubscriptionRow> = {}) => ({
  subscriptionIdentifier: 'd;c',
  workerUrl: 'ws://w1',
  model,
  version,
  status: 'active' as const,
  reason: '',
  detail: '',
  since: '',
  ...more,
});

describe('where versions of models run', () => {
  it('is counted by model and version, with their workers once each', () => {
    const runs = versionRuns({
      1: row('people', 'v2'),
      2: row('people', 'v1', { workerUrl: 'ws://w2' }),
      3: row('people', 'v1', { status: 'pending' }),
      4: row('people', 'v1', { workerUrl: '', status: 'failed' }),
      5: row('cars', null),
      6: row(null, null),
    });
    expect([...runs]).toEqual([
      [
        'people',
        [
          { version: 'v1', subscriptions: 3, active: 1, workers: ['ws://w1', 'ws://w2'] },
          { version: 'v2', subscriptions: 1, active: 1, workers: ['ws://w1'] },
        ],
      ],
      ['cars', [{ version: null, subscriptions: 1, active: 1, workers: ['ws://w1'] }]],
    ]);
  });

  it('is found without a search through the workers for each subscription', () => {
    const many = Array.from({ length: 1_000 }, (_, i) => row('people', 'v1', { workerUrl: `ws://w${i}` }));
    const includes = vi.spyOn(Array.prototype, 'includes');
    const [runs] = versionRuns(Object.fromEntries(many.entries())).get('people')!;
    const searched = includes.mock.contexts.reduce<number>((sum, list) => sum + (list as string[]).length, 0);
    includes.mockRestore();
    expect(runs!.workers).toHaveLength(1_000);
    expect(searched).toBeLessThan(10_000);
  });
});
