import type { ProcessRow, SourceRow, SubscriptionRow, WorkerRow } from '@detector-cluster/dashboard-protocol';
import { describe, expect, it } from 'vitest';
import { alertsOf, hold } from './alert-rules.js';
import {
  eventConditions,
  processConditions,
  sourceConditions,
  subscriptionConditions,
  workerConditions,
  type Condition,
} from './conditions.js';

const NOW = Date.parse('2026-01-01T12:00:00.000Z');
const MINUTE = 60_000;
const ago = (minutes: number) => new Date(NOW - minutes * MINUTE).toISOString();

const keyed = <T>(rows: readonly T[]) => Object.fromEntries(rows.map((row, index) => [String(index), row]));
const source = (name: SourceRow['name'], problem: string) => ({ name, ok: false, since: ago(3), problem });
const process = (role: ProcessRow['role'], mayAct = true) => ({ role, mayAct }) as ProcessRow;
const worker = (url: string, state: WorkerRow['state']) => ({ url, state }) as WorkerRow;
const subscription = (status: SubscriptionRow['status'], minutes: number) =>
  ({ status, since: ago(minutes) }) as SubscriptionRow;
const event = (type: string, minutes: number, more: object = {}) => ({
  eventId: `${NOW - minutes * MINUTE}-0`,
  type,
  at: ago(minutes),
  term: 1,
  ...more,
});
const many = (count: number, type: string, more: object = {}, first = 50) =>
  Array.from({ length: count }, (_, index) => event(type, first - index, more));
const away = (since: number | null): Condition => ({
  name: 'DetectorClusterWorkersAway',
  summary: '',
  since,
  href: '',
});
const namesOf = (conditions: readonly Condition[]) => conditions.map(({ name }) => name);

describe('sourceConditions', () => {
  it('distinguishes a missing master from one that does not write', () => {
    expect(sourceConditions({ master: source('master', 'no process is master') })).toMatchObject([
      { name: 'DetectorClusterNoMaster', since: NOW - 3 * MINUTE },
    ]);
    expect(namesOf(sourceConditions({ master: source('master', 'it does not write') }))).toEqual([
      'DetectorClusterStateUnknown',
    ]);
  });

  it('names Redis and the database, and nothing that is available', () => {
    const redis = source('redis', 'refused');
    const database = source('database', 'refused');
    expect(namesOf(sourceConditions({ redis, database }))).toEqual([
      'DetectorClusterProcessCutOff',
      'DetectorClusterDesiredStateUnreadable',
    ]);
    expect(sourceConditions({ redis: { ...redis, ok: true, problem: null } })).toEqual([]);
  });
});

describe('processConditions', () => {
  it('counts masters that may act', () => {
    const masters = keyed([process('master'), process('master')]);
    expect(namesOf(processConditions(masters))).toEqual(['DetectorClusterTwoMasters']);
    expect(processConditions(keyed([process('master'), process('master', false)]))).toEqual([]);
  });

  it('needs a second process', () => {
    expect(namesOf(processConditions(keyed([process('master')])))).toEqual(['DetectorClusterNoFollower']);
    expect(processConditions({})).toEqual([]);
  });
});

describe('workerConditions', () => {
  it('has a worker unavailable since its last loss', () => {
    const rows = keyed([worker('ws://a', 'Offline'), worker('ws://b', 'Suspect'), worker('ws://c', 'Ready')]);
    const events = [
      event('worker-offline', 90, { url: 'ws://a' }),
      event('worker-online', 80, { url: 'ws://a' }),
      event('worker-offline', 20, { url: 'ws://a' }),
      event('worker-offline', 10, { url: 'ws://b' }),
      event('worker-offline', 50, { url: 'ws://c' }),
    ];
    expect(workerConditions(rows, 1, events)).toEqual([
      {
        name: 'DetectorClusterWorkersAway',
        summary: '2 workers are unavailable.',
        since: NOW - 20 * MINUTE,
        href: '#/overview',
      },
    ]);
    const [alone] = workerConditions(keyed([worker('ws://a', 'Offline'), worker('ws://c', 'Ready')]), 1, []);
    expect(alone).toMatchObject({ since: null, href: '#/worker?url=ws%3A%2F%2Fa' });
  });

  it('has no ready worker since the last of them was lost, if all losses are known', () => {
    const rows = keyed([worker('ws://a', 'Offline'), worker('ws://b', 'Suspect')]);
    const first = event('worker-offline', 20, { url: 'ws://a' });
    const last = event('worker-offline', 10, { url: 'ws://b' });
    const sinceOf = (events: readonly (typeof first)[]) => workerConditions(rows, 1, events)[0];
    expect(sinceOf([first, last])).toMatchObject({
      name: 'DetectorClusterNoWorkerReady',
      since: NOW - 10 * MINUTE,
    });
    expect(sinceOf([last])).toMatchObject({ since: null });
    expect(sinceOf([first])).toMatchObject({ since: null });
    expect(workerConditions({}, 1, [])).toMatchObject([{ since: null }]);
  });

  it('does not know since when, if the last known event is a return', () => {
    const events = [
      event('worker-offline', 20, { url: 'ws://a' }),
      event('worker-online', 10, { url: 'ws://a' }),
    ];
    expect(workerConditions(keyed([worker('ws://a', 'Suspect')]), 0, events)).toMatchObject([
      { since: null },
    ]);
  });

  it('has a worker quarantined since the event', () => {
    const events = [
      event('worker-quarantined', 20, { url: 'ws://a' }),
      event('worker-online', 10, { url: 'ws://a' }),
    ];
    expect(workerConditions(keyed([worker('ws://a', 'Quarantined')]), 0, events)).toMatchObject([
      { name: 'DetectorClusterWorkerQuarantined', since: NOW - 20 * MINUTE },
    ]);
  });

  it('needs a ready worker only if there are subscriptions', () => {
    const rows = keyed([worker('ws://a', 'Quarantined')]);
    expect(namesOf(workerConditions(rows, 1, []))).toEqual([
      'DetectorClusterNoWorkerReady',
      'DetectorClusterWorkerQuarantined',
    ]);
    expect(namesOf(workerConditions(rows, 0, []))).toEqual(['DetectorClusterWorkerQuarantined']);
  });
});

describe('subscriptionConditions', () => {
  it('counts those that do not run, since the earliest', () => {
    const rows = keyed([
      subscription('active', 100),
      subscription('failed', 4),
      subscription('recovering', 9),
    ]);
    expect(subscriptionConditions(rows)).toMatchObject([
      { name: 'DetectorClusterSubscriptionsFailed', since: NOW - 4 * MINUTE },
      {
        name: 'DetectorClusterSubscriptionsNotRunning',
        summary: '2 subscriptions are not running.',
        since: NOW - 9 * MINUTE,
      },
    ]);
    expect(subscriptionConditions(keyed([subscription('active', 100)]))).toEqual([]);
  });
});

describe('eventConditions', () => {
  it('counts the changes of master within an hour', () => {
    expect(eventConditions(many(6, 'master-acquired'), NOW)).toEqual([]);
    expect(eventConditions(many(7, 'master-acquired'), NOW)).toMatchObject([
      { name: 'DetectorClusterMasterChanges', since: NOW - 44 * MINUTE },
    ]);
    expect(eventConditions(many(7, 'master-acquired', {}, 62), NOW)).toEqual([]);
  });

  it('counts only moves away from lost workers, and moves that failed', () => {
    expect(eventConditions(many(21, 'camera-moved', { reason: 'balance' }), NOW)).toEqual([]);
    expect(namesOf(eventConditions(many(21, 'camera-moved', { reason: 'worker-offline' }), NOW))).toEqual([
      'DetectorClusterCamerasMoveOften',
    ]);
    expect(namesOf(eventConditions(many(6, 'camera-move-failed'), NOW))).toEqual([
      'DetectorClusterMovesFail',
    ]);
  });
});

describe('alertsOf', () => {
  const moves: Condition = { ...away(NOW), name: 'DetectorClusterMovesFail' };

  it('fires when a condition has held for the time of its rule', () => {
    let held = hold([away(null)], new Map(), NOW);
    expect(alertsOf([away(null)], held, NOW)).toMatchObject([{ firesIn: 5 * MINUTE }]);
    const later = NOW + 5 * MINUTE;
    held = hold([away(null)], held, later);
    expect(alertsOf([away(null)], held, later)).toMatchObject([
      { severity: 'warning', since: NOW, firesIn: 0 },
    ]);
  });

  it('begins again after the condition did not hold', () => {
    let held = hold([away(null)], new Map(), NOW);
    held = hold([], held, NOW + MINUTE);
    held = hold([away(null)], held, NOW + 2 * MINUTE);
    expect(alertsOf([away(null)], held, NOW + 6 * MINUTE)).toMatchObject([{ firesIn: MINUTE }]);
  });

  it('fires at once if the data shows how long the condition has held, or if its rule has no delay', () => {
    const conditions = [moves, away(NOW - 5 * MINUTE)];
    const fired = alertsOf(conditions, hold(conditions, new Map(), NOW), NOW);
    expect(fired.map(({ name, since }) => [name, since])).toEqual([
      ['DetectorClusterWorkersAway', NOW - 5 * MINUTE],
      ['DetectorClusterMovesFail', NOW],
    ]);
  });

  it('keeps the beginning while the data moves on', () => {
    const held = hold([away(NOW - 9 * MINUTE)], new Map(), NOW);
    expect(hold([away(NOW - MINUTE)], held, NOW).get('DetectorClusterWorkersAway')).toBe(NOW - 9 * MINUTE);
  });
});
