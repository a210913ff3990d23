import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { DeliveryStats, RouterCounters } from '@detector-cluster/delivery';
import { ClusterFactsReader } from './cluster-facts-reader.js';
import type { WorkerExcess } from '../shared/cluster-state.js';
import type { ClusterCapacity } from '../operators/plan-report.js';
import type { ReconcileFigures } from '../term/reconcile-figures.js';
import type { MasterSlaveWorkerCluster } from '../node/master-slave-worker-cluster.js';

/** In seconds: a plan of a few cameras to one of 100,000 on a busy machine. */
const PLAN_BUCKETS = [0.000_5, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];
const REGENERATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const LAG_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

type Numbers = Readonly<Record<string, number>>;

type Read = (cluster: MeasuredCluster) => Numbers | Promise<Numbers>;

/** A gauge or a counter. Without a label, `read` gives its only number under the empty text. */
type Figure = [name: string, help: string, label: string | null, read: Read];

/** The metrics of one registry. Of several clusters registered there they show the sum. */
export class ClusterMetrics {
  private readonly clusters = new Map<MeasuredCluster, () => void>();
  private readonly planTime: Histogram;
  private readonly regenerationTime: Histogram;
  private readonly lag: Histogram;

  constructor(private readonly registry: Registry) {
    this.factGauges();
    this.capacityGauges();
    this.backlogGauges();
    this.deliveryCounters();
    this.figureCounters();
    this.planTime = this.histogram('plan_duration_seconds', 'Time to make a plan', PLAN_BUCKETS);
    this.regenerationTime = this.histogram(
      'regeneration_duration_seconds',
      'Time to read the desired state, also where that failed',
      REGENERATION_BUCKETS,
    );
    this.lag = this.histogram(
      'delivery_lag_seconds',
      'From the arrival of a detection at the master to the end of its callbacks in this process, by the clocks of both',
      LAG_BUCKETS,
    );
  }

  /** Measures the cluster from now on; its counts are those since its start. */
  add(measured: MeasuredCluster): void {
    const end = measured.cluster.figures.observe({
      planned: (ms) => this.planTime.observe(ms / 1_000),
      regenerated: (ms) => this.regenerationTime.observe(ms / 1_000),
      delivered: (ms) => this.lag.observe(ms / 1_000),
    });
    this.clusters.set(measured, end);
  }

  remove(measured: MeasuredCluster): void {
    this.clusters.get(measured)?.();
    this.clusters.delete(measured);
  }

  private factGauges(): void {
    this.gauge(
      'workers',
      'On the master: configured workers, by state',
      'state',
      ofMaster(({ workers }) => workers),
    );
    this.gauge(
      'subscriptions',
      'On the master: subscriptions, by status',
      'status',
      ofMaster(({ subscriptions }) => subscriptions),
    );
    this.gauge(
      'desired_subscriptions',
      'On the master: subscriptions that should run',
      null,
      ofMaster(({ desired }) => ({ '': desired })),
    );
  }

  private capacityGauges(): void {
    const capacity = (name: string, help: string, value: (capacity: ClusterCapacity) => number) =>
      this.gauge(
        name,
        `On the master: ${help}`,
        null,
        ofCapacity((found) => ({ '': value(found) })),
      );
    capacity('wanted_workers', 'workers that hold everything desired', (found) => found.wantedWorkers);
    capacity('unplaced_load', 'cost of the cameras without a worker', (found) => found.unplacedLoad);
    capacity('headroom', 'cost for which ready workers have room', (found) => found.headroom);
    this.gauge(
      'model_headroom',
      'On the master: further cameras of a model, as large as its largest, that find a worker',
      'model',
      ofCapacity(({ models }) => Object.fromEntries(models.map(({ model, headroom }) => [model, headroom]))),
    );
  }

  private backlogGauges(): void {
    this.gauge('partitions', 'Partitions that this process owns', null, async ({ delivery }) => ({
      '': (await delivery()).partitions,
    }));
    this.gauge(
      'backlog_entries',
      'Unfinished entries of the partitions that this process owns and of its listener stream',
      null,
      async ({ delivery }) => ({ '': (await delivery()).backlog }),
    );
    this.gauge(
      'log_entries',
      'On the master: unfinished entries in all partitions and listener streams, at most 5 s old',
      null,
      inLogs('entries'),
    );
    this.gauge('log_bytes', 'On the master: bytes of the messages of these entries', null, inLogs('bytes'));
    this.gauge(
      'log_fill_ratio',
      'On the master: how full the fullest log is, in entries or bytes; at 1 it drops or refuses detections',
      null,
      ofRouter(({ logs }) => ({ '': Math.max(0, ...Object.values(logs).map(({ fill }) => fill)) })),
    );
    this.gauge(
      'buffered_entries',
      'Entries that wait in the memory of this process for Redis, from its time as master',
      null,
      ({ cluster }) => ({ '': cluster.bufferedDetections }),
    );
    this.gauge(
      'retired_connections',
      'Connections to workers that this process keeps, open and silent, after its time as master',
      null,
      ({ cluster }) => ({ '': cluster.retiredConnections }),
    );
  }

  private deliveryCounters(): void {
    const counter = (name: string, help: string, value: (stats: DeliveryStats) => number) =>
      this.counter(`detections_${name}_total`, help, null, async ({ delivery }) => ({
        '': value(await delivery()),
      }));
    counter('in', 'Detections that this process took from workers as master', (stats) => stats.in);
    counter('out', 'Detections whose callbacks all succeeded in this process', (stats) => stats.out);
    counter(
      'late',
      'Of those out, the ones done more than 1 s after the master had them',
      ({ late }) => late,
    );
    counter('redelivered', 'Of those out, the ones that may have been done before', (s) => s.redelivered);
    counter('unheard', 'Detections that no process listened to', ({ unheard }) => unheard);
    counter('dead', 'Detections that became dead letters in this process', ({ dead }) => dead);
    this.counter(
      'detections_dropped_total',
      'Entries that were lost, by reason: their log was full (accepted before, or refused), the buffer of the master was full, or they were not accepted when its term ended',
      'reason',
      ({ cluster }) => losses(cluster.sent),
    );
  }

  private figureCounters(): void {
    const counter = (
      name: string,
      help: string,
      label: string | null,
      value: (figures: ReconcileFigures) => number | Numbers,
    ) =>
      this.counter(`${name}_total`, help, label, ({ cluster }) => {
        const found = value(cluster.figures);
        return typeof found === 'number' ? { '': found } : found;
      });
    counter('reconcile_passes', 'Passes that compared what runs with what should', null, (f) => f.passes);
    counter('regenerations', 'Times that the desired state was read', 'result', (f) => f.regenerations);
    counter(
      'regeneration_reasons',
      'Why the desired state was read; one read may have several reasons',
      'reason',
      (f) => f.regenerationReasons,
    );
    counter('moves_begun', 'Moves of a camera to another worker, by reason', 'reason', (f) => f.movesBegun);
    counter('moves_ended', 'Moves that ended, by result', 'result', (f) => f.movesEnded);
    counter(
      'invalid_frames',
      'Frames of workers that are not of the protocol',
      'kind',
      (f) => f.invalidFrames,
    );
    counter('worker_invalid_frames', 'The same frames by worker', 'worker', (f) =>
      Object.fromEntries(f.invalidFramesOf),
    );
    counter(
      'worker_pauses',
      'How often the socket of a worker was paused because too many of its frames waited for the master',
      'worker',
      excess('pauses'),
    );
    counter(
      'worker_detections_dropped',
      'Detections of a worker that were dropped, because it sent more than its rate or held the largest part of a full buffer',
      'worker',
      excess('dropped'),
    );
    counter(
      'worker_detections_oversized',
      'Detections of a worker that were refused because of their size',
      'worker',
      excess('oversized'),
    );
    counter(
      'unassigned_detections',
      'Detections that were dropped because their worker does not hold the subscription',
      null,
      (f) => f.unassignedDetections,
    );
  }

  private gauge(...[name, help, label, read]: Figure): void {
    const gauge: Gauge = new Gauge({
      ...named(name, help, label),
      collect: async () => {
        const found = await this.total(read);
        gauge.reset();
        // Without a label it would be 0 where there is nothing to report.
        if (label === null && found.size === 0) gauge.remove();
        for (const [value, number] of found) gauge.set(label === null ? {} : { [label]: value }, number);
      },
    });
    this.registry.registerMetric(gauge);
  }

  private counter(...[name, help, label, read]: Figure): void {
    const counter: Counter = new Counter({
      ...named(name, help, label),
      collect: async () => {
        const found = await this.total(read);
        counter.reset();
        for (const [value, number] of found) counter.inc(label === null ? {} : { [label]: value }, number);
      },
    });
    this.registry.registerMetric(counter);
  }

  private histogram(name: string, help: string, buckets: number[]): Histogram {
    return new Histogram({ name: `detector_cluster_${name}`, help, buckets, registers: [this.registry] });
  }

  private async total(read: Read): Promise<Map<string, number>> {
    const sums = new Map<string, number>();
    for (const numbers of await Promise.all([...this.clusters.keys()].map(read)))
      for (const [label, number] of Object.entries(numbers)) sums.set(label, (sums.get(label) ?? 0) + number);
    return sums;
  }
}

const named = (name: string, help: string, label: string | null) => ({
  name: `detector_cluster_${name}`,
  help,
  labelNames: label === null ? [] : [label],
  registers: [],
});

function losses({ dropped, refused, bufferDropped, discarded }: RouterCounters): Numbers {
  return {
    'log-full': dropped,
    refused,
    'buffer-full': bufferDropped,
    'term-ended': discarded,
  };
}

function excess(what: keyof WorkerExcess) {
  return ({ excesses }: ReconcileFigures): Numbers =>
    Object.fromEntries([...excesses].map(([worker, counts]) => [worker, counts[what]]));
}

/**
 * Reports nothing if `get` gives null. Facts of the whole cluster are null except on the master, so that a sum over all processes counts
 * everything once.
 */
function reading<T>(get: (measured: MeasuredCluster) => T | null | Promise<T | null>) {
  return (read: (found: T) => Numbers) =>
    async (measured: MeasuredCluster): Promise<Numbers> => {
      const found = await get(measured);
      return found === null ? {} : read(found);
    };
}

const ofMaster = reading(({ facts }) => facts());
/** That of a plan which is at most a moment old. */
const ofCapacity = reading(({ cluster }) => cluster.capacity());
const ofRouter = reading(({ cluster }) => cluster.routerStats());

function inLogs(name: 'entries' | 'bytes') {
  return ofRouter(({ logs }) => ({ '': Object.values(logs).reduce((total, each) => total + each[name], 0) }));
}

type MeasuredCluster = ReturnType<typeof measuredCluster>;

/** What the metrics read when they are scraped. None of the calls rejects. */
export function measuredCluster(cluster: MasterSlaveWorkerCluster) {
  const facts = new ClusterFactsReader(cluster);
  let delivery: Promise<DeliveryStats> | null = null;
  return {
    cluster,
    // A scrape asks once per metric.
    delivery: () =>
      (delivery ??= cluster.deliveryStats().finally(() => {
        delivery = null;
      })),
    /** Null except on the master while Redis answers. */
    facts: async () => (cluster.election.getIsMaster() ? facts.read().catch(() => null) : null),
  };
}
