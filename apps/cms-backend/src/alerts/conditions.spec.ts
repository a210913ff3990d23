import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { factsOf, oneAway, workerIn } from './alerts.fixture.js';
import { type ClusterFacts, conditionsOf, COUNT_LIMITS, type Counted, MASTER_ALERTS } from './conditions.js';

const NOW = Date.UTC(2026, 0, 1, 12);
const HOUR = 3_600_000;
const NOTHING: Counted = { masters: [], moved: [], failed: [] };

const found = (facts: ClusterFacts, counted = NOTHING) => conditionsOf(facts, counted, NOW);
const shortNames = (facts: ClusterFacts, counted = NOTHING) =>
  found(facts, counted).map(({ name }) => name.replace('DetectorCluster', ''));
const status = (more: Partial<ClusterFacts['subscriptions']>) =>
  factsOf({ subscriptions: { active: 2, pending: 0, recovering: 0, failed: 0, ...more } });

describe('conditionsOf', () => {
  it('finds nothing in a cluster that is well', () => {
    expect(found(factsOf())).toEqual([]);
  });

  it.each<[string[], ClusterFacts]>([
    [['NoFollower'], factsOf({ processes: 1 })],
    [['DesiredStateUnreadable'], factsOf({ databaseFails: true })],
    [['NoWorkerReady'], factsOf({ workers: [] })],
    [['NoWorkerReady', 'WorkersAway'], factsOf({ workers: [workerIn('Connecting', 'ws://a')] })],
    [['NoWorkerReady', 'WorkerQuarantined'], factsOf({ workers: [workerIn('Quarantined', 'ws://a')] })],
    [[], factsOf({ workers: [], subscriptions: { active: 0, pending: 0, recovering: 0, failed: 0 } })],
    [['SubscriptionsNotRunning'], status({ pending: 1 })],
    [['SubscriptionsNotRunning'], status({ recovering: 1 })],
    [['SubscriptionsFailed', 'SubscriptionsNotRunning'], status({ failed: 1 })],
  ])('finds %j', (names, facts) => {
    expect(shortNames(facts)).toEqual(names);
  });

  it('does not say that subscriptions do not run, which a worker without contact may run', () => {
    expect(found(status({ recovering: 2 }))).toMatchObject([{ summary: '2 subscriptions are not active.' }]);
  });

  it('names the worker if there is only one', () => {
    expect(found(oneAway)).toEqual([
      {
        name: 'DetectorClusterWorkersAway',
        summary: '1 worker is unavailable.',
        workerUrl: 'ws://b',
      },
    ]);
    const [both] = found(
      factsOf({
        workers: [workerIn('Ready', 'ws://a'), workerIn('Offline', 'ws://b'), workerIn('Suspect', 'ws://c')],
      }),
    );
    expect(both).toMatchObject({ summary: '2 workers are unavailable.', workerUrl: null });
  });

  it.each([
    ['MasterChanges', 'masters'],
    ['CamerasMoveOften', 'moved'],
    ['MovesFail', 'failed'],
  ] as const)('finds %s when there were too many within an hour', (name, kind) => {
    const times = (count: number, age: number) => ({ ...NOTHING, [kind]: Array(count).fill(NOW - age) });
    expect(shortNames(factsOf(), times(COUNT_LIMITS[kind], 0))).toEqual([]);
    expect(shortNames(factsOf(), times(COUNT_LIMITS[kind] + 1, HOUR - 1))).toEqual([name]);
    expect(shortNames(factsOf(), times(COUNT_LIMITS[kind] + 1, HOUR))).toEqual([]);
  });
});

describe('the manual', () => {
  it('lists the alerts that the service evaluates', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const [, list = ''] = /\*\*Alerts\.\*\*([^]*?)\n- \*\*/.exec(readme) ?? [];
    const listed = Array.from(list.matchAll(/`([A-Z]\w+)`/g), ([, name]) => `DetectorCluster${name}`);
    const ofPage = ['NoMaster', 'StateUnknown', 'ProcessCutOff'].map((name) => `DetectorCluster${name}`);
    expect(listed.toSorted()).toEqual([...MASTER_ALERTS, ...ofPage].toSorted());
  });
});
