import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { TestingModule } from '@nestjs/testing';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MasterSlaveWorkerCluster } from '../node/master-slave-worker-cluster.js';
import { routerDefaults } from '@detector-cluster/delivery';
import { DetectorCluster } from '../node/detector-cluster.js';
import {
  DetectorClusterMetricsModule,
  registerDetectorClusterMetrics,
} from './detector-cluster-metrics.module.js';
import { defaultWorkerLimits } from '../workers/worker-limits.js';
import { RecordingLogger, ScriptedWorker, startProcess } from './observed-app.fixture.js';
import { eventually } from '../../../../test/support/until.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const TIMEOUT = 20_000;

const shows = (
  { samples }: { samples: () => Promise<Map<string, number>> },
  expected: Readonly<Record<string, number>>,
) =>
  eventually(JSON.stringify(expected), TIMEOUT, async () => {
    const found = await samples();
    return Object.entries(expected).every(([name, value]) => found.get(name) === value) && found;
  });

describe('metrics of the cluster', () => {
  let worker: ScriptedWorker;
  let keyPrefix: string;
  let apps: TestingModule[];
  beforeEach(async () => {
    worker = await ScriptedWorker.start();
    keyPrefix = `{${randomUUID()}}:`;
    apps = [];
  });
  afterEach(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await worker.stop();
  });

  const start = async (logger = new RecordingLogger()) => {
    const registry = new Registry();
    const redis = process.env.REDIS_URL!;
    const app = await startProcess(
      { redis, keyPrefix, workers: [worker.url] },
      [DetectorClusterMetricsModule.register({ registry })],
      logger,
    );
    apps.push(app);
    /** The samples by name with labels, without the prefix. */
    const samples = async () =>
      new Map(
        (await registry.metrics())
          .split('\n')
          .filter((line) => line.startsWith('detector_cluster_'))
          .map((line) => line.slice('detector_cluster_'.length).split(' ') as [string, string])
          .map(([name, value]) => [name, Number(value)]),
      );
    return { app, registry, samples, cluster: app.get(DetectorCluster) };
  };
  it('all exist before the first event, with a help text, in base units', async () => {
    const { registry, samples } = await start();
    const found = await samples();
    const text = await registry.metrics();
    const ofTheMaster =
      /^(workers|worker_|subscriptions|desired_subscriptions|log_|wanted_workers|unplaced_load|headroom|model_headroom)/;
    for (const metric of await registry.getMetricsAsJSON()) {
      expect(metric.help).toMatch(/^\S.{15,}/);
      expect(metric.name).toMatch(/^detector_cluster_[a-z_]+$/);
      const name = metric.name.slice('detector_cluster_'.length);
      if (!ofTheMaster.test(name))
        expect([...found.keys()].some((sample) => sample.startsWith(name))).toBe(true);
      if (text.includes(`# TYPE ${metric.name} counter`)) expect(name).toMatch(/_total$/);
      if (text.includes(`# TYPE ${metric.name} histogram`)) expect(name).toMatch(/_seconds$/);
    }
    for (const name of [
      'detections_in_total',
      'detections_out_total',
      'detections_late_total',
      'detections_dropped_total{reason="log-full"}',
      'detections_dropped_total{reason="refused"}',
      'detections_dropped_total{reason="buffer-full"}',
      'detections_dropped_total{reason="term-ended"}',
      'detections_unheard_total',
      'detections_dead_total',
      'detections_redelivered_total',
      'unassigned_detections_total',
      'invalid_frames_total{kind="not-json"}',
      'invalid_frames_total{kind="other"}',
      'moves_begun_total{reason="balance"}',
      'moves_begun_total{reason="worker-offline"}',
      'moves_ended_total{result="aborted"}',
      'moves_ended_total{result="failed"}',
      'moves_ended_total{result="finished"}',
      'regenerations_total{result="failed"}',
      'delivery_lag_seconds_count',
      'partitions',
      'buffered_entries',
      'retired_connections',
    ])
      expect([name, found.get(name)]).toEqual([name, 0]);
  });

  it('follow workers, subscriptions and detections, each counted in one process only', async () => {
    const logger = new RecordingLogger();
    const first = await start(logger);
    const second = await start(logger);
    let seen = 0;
    const finished = new AbortController();
    const callback = () => {
      seen++;
      return finished.signal.aborted ? undefined : once(finished.signal, 'abort');
    };
    await second.cluster.subscribeToCamera('d;c', 'rtsp://192.0.2.1/s', 'http://m/x', 1, 'cars', callback);
    await shows(first, {
      'workers{state="Ready"}': 1,
      'workers{state="Quarantined"}': 0,
      'subscriptions{status="active"}': 1,
      'subscriptions{status="failed"}': 0,
      desired_subscriptions: 1,
      [`worker_invalid_frames_total{worker="${worker.url}"}`]: 0,
      [`worker_pauses_total{worker="${worker.url}"}`]: 0,
      [`worker_detections_dropped_total{worker="${worker.url}"}`]: 0,
      [`worker_detections_oversized_total{worker="${worker.url}"}`]: 0,
    });
    for (let i = 0; i < 5; i++) worker.detect('d;c');
    worker.detect('d;other');
    worker.detect('d;other');
    // Shorter ones are refused unread.
    for (const frame of ['{', '{', '{"type":"unheardOf"}']) worker.send(frame.padEnd(50));
    worker.detect('d;c', { padding: 'x'.repeat(defaultWorkerLimits.detectionBytes) });
    const master = await shows(first, {
      detections_in_total: 5,
      unassigned_detections_total: 2,
      'invalid_frames_total{kind="not-json"}': 2,
      'invalid_frames_total{kind="unknown-type"}': 1,
      'invalid_frames_total{kind="detection-too-large"}': 1,
      'invalid_frames_total{kind="other"}': 0,
      [`worker_invalid_frames_total{worker="${worker.url}"}`]: 4,
      [`worker_detections_oversized_total{worker="${worker.url}"}`]: 1,
      buffered_entries: 0,
      log_entries: 5,
      log_fill_ratio: 5 / routerDefaults.maxBacklogEntries,
    });
    await shows(second, { backlog_entries: 5 });
    finished.abort();
    const slave = await shows(second, {
      detections_out_total: 5,
      detections_in_total: 0,
      delivery_lag_seconds_count: 5,
      backlog_entries: 0,
    });
    expect(seen).toBe(5);
    expect(master.get('log_bytes')).toBeGreaterThan(5 * 100);
    await shows(first, { log_entries: 0, log_bytes: 0, log_fill_ratio: 0 });
    expect(master.get('reconcile_passes_total')).toBeGreaterThan(0);
    expect(master.get('plan_duration_seconds_count')).toBeGreaterThan(0);
    expect(master.get('regenerations_total{result="ok"}')).toBeGreaterThan(0);
    expect(master.get('regeneration_reasons_total{reason="master-acquired"}')).toBe(1);
    expect(master.get('regeneration_reasons_total{reason="change-feed"}')).toBe(0);
    expect(master.get('regeneration_duration_seconds_count')).toBe(
      master.get('regenerations_total{result="ok"}'),
    );
    expect(slave.get('delivery_lag_seconds_sum')).toBeLessThan(5 * TIMEOUT);
    for (const name of slave.keys()) expect(name).not.toMatch(/^(workers|subscriptions|desired_|log_)/);
    expect(slave.get('reconcile_passes_total')).toBe(0);

    await second.cluster.removeDetectionListener('d;c', callback);
    await eventually('the master knows', TIMEOUT, async () => {
      worker.detect('d;c');
      return (await first.samples()).get('detections_unheard_total')! > 0;
    });
    // A master that is not alone leaves the partitions to the others.
    for (const { cluster } of [first, second]) cluster.addGlobalDetectionListener(() => undefined);
    await shows(second, { partitions: routerDefaults.partitions });
    await shows(first, { partitions: 0 });
    // No label names a subscription or a process. A worker is a label only of its own counters.
    for (const name of [...master.keys(), ...slave.keys()])
      if (!name.startsWith('worker_')) expect(name).not.toMatch(/d;c|d;other|127\.0/);

    // The topics of the log.
    const lines = logger.lines.join('\n');
    expect(lines).toMatch(/^\[master-slave-worker-cluster\] this process is master/m);
    expect(lines).toMatch(/^\[DetectorConnection\] worker ws:\S+ is online$/m);
    expect(lines).toMatch(/^\[DetectorConnection\] worker ws:\S+ sent an invalid frame \(not-json\)/m);
    expect(lines).toMatch(/^\[DetectorConnection\] worker ws:\S+ sent a detection of d;other/m);
  });

  it('end with the application, and work again on a registry that was cleared', async () => {
    const { app, registry, samples } = await start();
    const cluster = app.get(MasterSlaveWorkerCluster);
    apps.pop();
    await app.close();
    expect((await samples()).has('workers{state="Ready"}')).toBe(false);
    expect((await samples()).has('partitions')).toBe(false);
    const plans = (await samples()).get('plan_duration_seconds_count');
    cluster.figures.planned(3);
    expect((await samples()).get('plan_duration_seconds_count')).toBe(plans);
    registry.clear();
    const end = registerDetectorClusterMetrics(cluster, registry);
    cluster.figures.planned(30_000);
    cluster.figures.movesBegun.drain++;
    cluster.figures.movesEnded.finished++;
    cluster.figures.regenerated(7, false);
    Object.assign(cluster.sent, { dropped: 2, refused: 3, bufferDropped: 5, discarded: 7 });
    const found = await samples();
    for (const [reason, count] of [
      ['log-full', 2],
      ['refused', 3],
      ['buffer-full', 5],
      ['term-ended', 7],
    ] as const)
      expect([reason, found.get(`detections_dropped_total{reason="${reason}"}`)]).toEqual([reason, count]);
    expect(found.get('plan_duration_seconds_sum')).toBe(30);
    expect(found.get('moves_begun_total{reason="drain"}')).toBe(1);
    expect(found.get('moves_ended_total{result="finished"}')).toBe(1);
    expect(found.get('regenerations_total{result="failed"}')).toBe(1);
    expect(found.get('detections_in_total')).toBe(0);
    end();
    cluster.figures.planned(30_000);
    expect((await samples()).get('plan_duration_seconds_count')).toBe(1);
  });
});
