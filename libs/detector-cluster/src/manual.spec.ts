import { readFileSync } from 'node:fs';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import {
  LISTENER_LIFETIME,
  listenerLog,
  partitionLog,
  OWNER_VALIDITY,
  TAKE_OVER_WAIT,
} from '@detector-cluster/delivery/internal';
import { consumerDefaults, routerDefaults } from '@detector-cluster/delivery';
import {
  type SkipReason,
  type WorkerLiveness,
  DEFAULT_CAPACITY,
  CONFIRMATION_DEADLINE,
  RESEND_AFTER,
  UNSUBSCRIBE_RESEND,
  MOVE_TIMEOUT,
} from '@detector-cluster/placement/internal';
import { ClusterMetrics } from './nest/cluster-metrics.js';
import type { ClusterHappening } from './shared/cluster-event.js';
import type { DetectorClusterOptions } from './options/detector-cluster-options.js';
import { resolveOptions } from './options/resolve-options.js';
import type { HoldReason, RejectionReason } from '@detector-cluster/placement';
import { clusterKeys } from './shared/cluster-keys.js';

const textOf = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

/** The code spans of a text, e.g. `worker:moves`. */
const codeIn = (text: string) => new Set(Array.from(text.matchAll(/`([^`\n]+)`/g), ([, code]) => code!));

/** The code spans of a page in `docs`. */
const namedIn = (page: string) => codeIn(textOf(`docs/${page}.md`));

/** The names of a union type. The compiler checks that none is missing. */
const all = <T extends string>(names: Readonly<Record<T, true>>) => Object.keys(names);

const number = (value: number) => value.toLocaleString('en-US');

describe('the pages on the detector cluster', () => {
  it.each([
    [
      'reason why a worker does not take a camera',
      'placement',
      all<RejectionReason>({
        'not-ready': true,
        cordoned: true,
        draining: true,
        memory: true,
        'gpu-memory': true,
        'too-large': true,
        selector: true,
        penalty: true,
        capacity: true,
      }),
    ],
    [
      'reason why a move waits',
      'placement',
      all<HoldReason>({
        settling: true,
        budget: true,
        'in-flight': true,
        cooldown: true,
        resting: true,
        'no-room': true,
        window: true,
        frozen: true,
      }),
    ],
    [
      'reason why a display is skipped',
      'desired-state',
      all<SkipReason>({
        'malformed-row': true,
        'invalid-display-id': true,
        'no-camera': true,
        'invalid-camera-id': true,
        'forbidden-address': true,
        'requester-ended': true,
        'invalid-rtsp-url': true,
        'invalid-snapshot': true,
        'no-playlist': true,
        'playlist-without-model': true,
        'invalid-model': true,
        'invalid-crop': true,
        duplicate: true,
      }),
    ],
    [
      'state of a worker',
      'workers',
      all<WorkerLiveness>({ Connecting: true, Ready: true, Suspect: true, Offline: true, Quarantined: true }),
    ],
    [
      'recorded event',
      'operators',
      all<ClusterHappening['type']>({
        'master-acquired': true,
        'worker-online': true,
        'worker-offline': true,
        'worker-drained': true,
        'worker-added': true,
        'worker-removed': true,
        'worker-quarantined': true,
        'operator-action': true,
        'cluster-frozen': true,
        'cluster-thawed': true,
        'redis-unavailable': true,
        'model-failed': true,
        'model-version': true,
        'model-rollout': true,
        'database-unavailable': true,
        'database-available': true,
        'camera-moved': true,
        'camera-move-failed': true,
        'subscription-removed': true,
      }),
    ],
  ])('name every %s in docs/%s.md', (_, page, names) => {
    const named = namedIn(page);
    expect(names.filter((name) => !named.has(name))).toEqual([]);
  });

  it('name every reason of a status that the reconciler gives', () => {
    const named = namedIn('statuses');
    const sources = ['subscription-step', 'without-unsent', 'reconcile'].map((name) =>
      readFileSync(new URL(`../../placement/src/reconcile/${name}.ts`, import.meta.url), 'utf8'),
    );
    // Quoted words with a hyphen are reasons there, except for the outcomes of a move.
    const quoted = sources.flatMap((text) =>
      Array.from(text.replace(/^import .*$/gm, '').matchAll(/'([a-z]+(?:-[a-z]+)+)'/g), ([, name]) => name!),
    );
    expect(quoted.length).toBeGreaterThan(6);
    expect([...new Set(quoted)].filter((name) => !named.has(name))).toEqual([]);
  });

  it('name every key and channel', () => {
    const named = namedIn('keys-in-redis');
    const keys = clusterKeys('');
    const { partition: _, replies, slave: __, ...fixed } = keys;
    const logs = [partitionLog(keys, 0), listenerLog(keys, '<id>')];
    const names = [
      ...Object.values(fixed),
      replies('<id>'),
      ...logs.flatMap(({ stream, record, letters }) => [stream, record, letters]),
    ].map((key) => key.replace('{0}', '{p}'));
    expect(names.filter((name) => !named.has(name))).toEqual([]);
  });

  it('describe every metric', () => {
    const registry = new Registry();
    void new ClusterMetrics(registry);
    const names = registry.getMetricsAsArray().map(({ name }) => name);
    expect(names.length).toBeGreaterThan(15);
    const described = codeIn(textOf('docs/health-and-metrics.md'));
    expect(names.filter((name) => !described.has(name.replace('detector_cluster_', '')))).toEqual([]);
  });

  it('give the numbers that are used', () => {
    const tuning = textOf('docs/tuning.md');
    const pages = tuning + textOf('docs/delivery.md');
    const { timings } = resolveOptions({ redis: 'redis://r' });
    const numbers = [
      ...Object.values(timings),
      DEFAULT_CAPACITY,
      ...RESEND_AFTER,
      CONFIRMATION_DEADLINE,
      UNSUBSCRIBE_RESEND,
      MOVE_TIMEOUT,
      routerDefaults.partitions,
      routerDefaults.maxBacklogEntries,
      routerDefaults.maxBufferEntries,
      OWNER_VALIDITY,
      TAKE_OVER_WAIT,
      LISTENER_LIFETIME,
      consumerDefaults.window,
      consumerDefaults.windowPerSubscription,
      consumerDefaults.maxParked,
      consumerDefaults.callbackTimeout,
      consumerDefaults.maxDeadLetters,
      consumerDefaults.maxUnconfirmed,
      consumerDefaults.stopDeadline,
      ...consumerDefaults.retryDelays,
    ];
    expect(
      numbers.filter((value) => !new RegExp(`(?<![\\d,])${number(value)}(?![\\d,]\\d)`).test(pages)),
    ).toEqual([]);
    for (const bytes of [routerDefaults.maxBacklogBytes, routerDefaults.maxBufferBytes])
      expect(pages).toMatch(new RegExp(`(?<!\\d)${bytes / 1024 ** 2} MiB`));
    for (const [name, value] of Object.entries(timings))
      expect(tuning).toMatch(new RegExp(`\`timings\\.${name}\` +\\| ${number(value)} `));
  });
});

describe('docs/options.md', () => {
  const page = textOf('docs/options.md').split('## DetectorClusterModule')[1]!;

  it('names every option of DetectorClusterModule', () => {
    const options = all<keyof DetectorClusterOptions>({
      redis: true,
      keyPrefix: true,
      workers: true,
      placement: true,
      prisma: true,
      trigger: true,
      desiredState: true,
      modelUrl: true,
      canary: true,
      rebalanceWindows: true,
      secret: true,
      networks: true,
      workerLimits: true,
      changeFeed: true,
      overflow: true,
      partitions: true,
      acceptance: true,
      timings: true,
    });
    const described = [...codeIn(page)].map((code) => code.split('.')[0]);
    expect(options.filter((name) => !described.includes(name))).toEqual([]);
  });

  it('gives the defaults that are used', () => {
    for (const name of ['overflow', 'partitions'] as const)
      expect(page).toMatch(new RegExp(`\`${name}\` +\\| \`?${routerDefaults[name]}\`? `));
    for (const [name, value] of Object.entries(resolveOptions({ redis: 'redis://r' }).timings))
      expect(page).toMatch(new RegExp(`\`timings\\.${name}\` +\\| ${number(value)} ms `));
  });
});
