import { Dice } from '../../../election/src/test-support/model/dice.js';
import type { ModelProcess } from '../../../election/src/test-support/model/model-process.js';
import { SimTime } from '../../../election/src/test-support/model/sim-time.js';
import { deliveryKeys } from '../log/delivery-keys.js';
import type { ReceivedDetection } from '../log/detection-message.js';
import type { SendOutcome } from '../log/detection-tracer.js';
import { type LogAddress, partitionLog } from '../log/log-address.js';
import type { ConsumerOptions } from '../receive/consumer-context.js';
import type { ConsumerStores } from '../receive/detection-consumer.js';
import type { RouterOptions } from '../send/router-context.js';
import { CallbackLedger, type CallbackStart } from './callback-ledger.js';
import { type EntryFate, LogLedger } from './log-ledger.js';
import { DeliveryProcess } from './delivery-process.js';
import { Mastership } from './mastership.js';
import type { ServerDefect } from './memory-log-server.js';
import { ModelServer } from './model-server.js';
import { ModelWorker } from './model-worker.js';

/** The processes of the cluster, as the registry knows them. It may consider a live one dead. */
class MemberList {
  private readonly present = new Set<string>();
  /** Processes that are considered dead. */
  private readonly suspected = new Set<string>();

  constructor(private readonly onChanged: () => void) {}

  get listed(): readonly string[] {
    return [...this.present].filter((id) => !this.suspected.has(id));
  }

  add(id: string): void {
    this.present.add(id);
    this.onChanged();
  }

  remove(id: string): void {
    if (this.present.delete(id)) this.onChanged();
  }

  suspect(id: string): void {
    this.suspected.add(id);
    if (this.present.has(id)) this.onChanged();
  }

  trust(id: string): void {
    if (this.suspected.delete(id)) this.onChanged();
  }
}

export interface WorldOptions {
  readonly seed: number;
  readonly latency: readonly [low: number, high: number];
  /** Logs are on different nodes, as on a Redis Cluster. */
  readonly callPerLog: boolean;
  readonly partitions: number;
  readonly subscriptions: number;
  /** Milliseconds between detections, on the average, and those that a callback takes at most; some take none. */
  readonly load: { readonly gap: number; readonly longest: number };
  /** Most detections that the worker keeps until they are confirmed; null: it does not number them. */
  readonly keeps: number | null;
  /** Some processes have listeners of their own for a subscription. */
  readonly listeners: boolean;
  /** How probable it is that a detection fails the first time, and that it fails always. */
  readonly failing: number;
  readonly poisonous: number;
  readonly router: Omit<RouterOptions, 'partitions'>;
  readonly consumer: ConsumerOptions;
  /** What is broken, to show that it is found. */
  readonly defects?: readonly ServerDefect[];
  /** Changes what a consumer has of Redis. */
  readonly alter?: (stores: ConsumerStores, process: ModelProcess) => ConsumerStores;
}

const LOG = 80;

/** How far the replica is behind, without a fault. Milliseconds. */
const REPLICATION = [1, 60] as const;

/** How long it takes until a process that is gone, or a master that does not answer, is replaced. Milliseconds. */
const NOTICED = [300, 1_200] as const;

/** Redis, and the processes that deliver detections through it, in virtual time. Collects what must never happen. */
export class DeliveryWorld {
  readonly time = new SimTime();
  readonly dice: Dice;
  readonly keys = deliveryKeys('');
  readonly server: ModelServer;
  readonly members: MemberList;
  readonly logs: LogLedger;
  readonly callbacks: CallbackLedger;
  readonly processes: DeliveryProcess[] = [];
  readonly masterships: Mastership[] = [];
  /** Null if the worker does not number its detections: then each goes to one master at once, or is lost. */
  readonly worker: ModelWorker | null;
  readonly violations: string[] = [];
  /** What was noted last. */
  readonly log: string[] = [];
  /** The number of partitions that masters are configured with. */
  partitions: number;
  /** The most that there were. */
  mostPartitions: number;
  /** Detections come. */
  traffic = true;
  /** Callbacks of this moment take so much longer. Milliseconds. */
  slowness = 0;
  private detections = 0;
  /** Detections that a router has refused for good, for some log. */
  private readonly refused = new Set<string>();
  private terms = 0;
  private touched: DeliveryProcess | undefined;
  private electing = false;

  constructor(readonly options: WorldOptions) {
    this.dice = new Dice(options.seed);
    this.partitions = this.mostPartitions = options.partitions;
    this.server = new ModelServer(this.time, options.defects);
    const violated = (what: string) => this.violated(what);
    const { maxBacklogBytes: maxBytes, maxBacklogEntries: maxEntries, overflow } = options.router;
    this.logs = new LogLedger({ server: this.server.logs, violated, maxBytes, maxEntries, overflow });
    this.server.logs.observer = this.logs;
    this.server.onReplicated = () => this.logs.replicated();
    this.callbacks = new CallbackLedger(this.logs, violated);
    this.worker = options.keeps === null ? null : new ModelWorker(this, options.keeps);
    this.server.onHint = (hint) => {
      for (const process of this.processes) if (process.process.alive) process.hear(hint);
    };
    this.members = new MemberList(() => {
      const { listed } = this.members;
      for (const mastership of this.masterships)
        if (!mastership.over) this.soon(() => mastership.membersChanged(listed));
    });
    this.emitLater();
    if (options.router.acceptance !== null) this.replicateLater();
  }

  get running(): DeliveryProcess[] {
    return this.processes.filter(({ alive }) => alive);
  }

  /** The process that leads, as far as it knows. */
  get master(): Mastership | undefined {
    return this.masterships.findLast(({ isValid, retired }) => isValid && !retired);
  }

  /** The master of the latest term is there, and can work. */
  get isLed(): boolean {
    const latest = this.masterships.at(-1);
    if (latest === undefined || !latest.isValid || latest.retired) return false;
    return latest.holder.alive && latest.holder.process.running;
  }

  /** Logs of all partitions that there ever were. */
  get partitionLogs(): LogAddress[] {
    return Array.from({ length: this.mostPartitions }, (_, partition) => partitionLog(this.keys, partition));
  }

  add(rate: number): DeliveryProcess {
    const id = `p${this.processes.length + 1}`;
    const listensTo = this.options.listeners && this.dice.happens(0.5) ? [this.pickSubscription()] : [];
    this.note(`${id} starts`);
    const process = new DeliveryProcess(this, { id, rate, listensTo });
    this.processes.push(process);
    this.soon(() => process.alive && this.members.add(id));
    return process;
  }

  /** Makes the process master. @param overlap how long its predecessor still considers itself master; milliseconds */
  elect(process: DeliveryProcess, overlap: number): void {
    const term = ++this.terms;
    this.note(`${process.id} leads in ${term}`);
    for (const mastership of this.masterships) {
      if (mastership.over) continue;
      mastership.validUntil = Math.min(mastership.validUntil, this.time.now + overlap);
      this.time.after(overlap, () => mastership.retire());
    }
    this.mostPartitions = Math.max(this.mostPartitions, this.partitions);
    this.masterships.push(new Mastership(this, process, term, this.partitions));
  }

  /** Some process leads before long, when none that runs does. */
  electSoon(overlap = 0): void {
    if (this.electing) return;
    this.electing = true;
    this.time.after(this.dice.between(...NOTICED), () => {
      this.electing = false;
      if (this.isLed) return;
      const able = this.running.filter(({ process }) => process.running);
      if (able.length > 0) this.elect(able[Math.floor(this.dice.roll() * able.length)]!, overlap);
      else this.electSoon(overlap);
    });
  }

  /** Detections of one subscription, or of several, arrive at the master. */
  emit(count: number, subscription?: string): void {
    if (this.worker !== null) {
      for (let i = 0; i < count; i++) this.worker.detect(subscription ?? this.pickSubscription());
      return;
    }
    const reading = this.masterships.filter(({ reads }) => reads);
    // A worker may still be connected to a master before.
    const mastership = reading.at(this.dice.happens(0.9) ? -1 : 0);
    for (let i = 0; i < count; i++) {
      const subscriptionIdentifier = subscription ?? this.pickSubscription();
      const detectionId = `${mastership?.term ?? 0}-1-${++this.detections}`;
      const frame = JSON.stringify({ subscriptionIdentifier, data: { detection: null } });
      mastership?.holder.process.input(() =>
        mastership.router.route({
          detectionId,
          workerUrl: 'ws://w',
          subscriptionIdentifier,
          receivedAt: mastership.holder.process.wallNow(),
          frame,
        }),
      );
    }
  }

  /** Another program adds an entry to a partition, with an id above that of the present term. */
  addForeign(partition: number, above: number): void {
    const logs = this.partitionLogs;
    const log = logs[partition % logs.length]!;
    this.server.logs.addForeign(log, this.terms + above, 'of another program');
    this.logs.disturbed(log);
  }

  pickSubscription(): string {
    return `d;${Math.floor(this.dice.roll() * this.options.subscriptions)}`;
  }

  /** A callback starts. Returns how it goes. */
  started(start: CallbackStart): { fate: EntryFate | undefined; lasts: number; fails: boolean } {
    const fate = this.callbacks.start(start);
    const { failing, load, poisonous } = this.options;
    // The same at every attempt, in every process.
    const dice = new Dice(this.options.seed + Number(start.detectionId.split('-').at(-1)));
    const kind = dice.roll();
    const lasts = (dice.happens(0.3) ? 0 : dice.between(1, load.longest)) + this.slowness;
    const fails = kind < poisonous || (kind < failing + poisonous && fate?.failed === false);
    return { fate, lasts, fails };
  }

  /** A router has done with an entry. */
  sent(log: LogAddress, detection: ReceivedDetection, outcome: SendOutcome): void {
    const { detectionId } = detection;
    if (outcome === 'refused' || outcome === 'dropped') this.refused.add(detectionId);
    if (outcome !== 'accepted') return;
    if (this.logs.has(log, detectionId)) this.logs.accepted(log, detectionId);
    else if (!this.isPassed(log, detection))
      this.violated(`${detectionId} counts as accepted and is not in ${log.stream}`);
  }

  /** A log has had the detection, or it was refused for good. */
  isAccountedFor(detectionId: string): boolean {
    return this.refused.has(detectionId) || this.logs.hasAnywhere(detectionId);
  }

  /**
   * The log does not need to have the detection, which comes again after newer ones: it was refused or dropped before, or the process of this
   * listener stream did not listen when it first came.
   */
  private isPassed(log: LogAddress, { detectionId, subscriptionIdentifier }: ReceivedDetection): boolean {
    const isLate = log.partition === null && this.logs.hasLater(log, detectionId, subscriptionIdentifier);
    return isLate || this.refused.has(detectionId);
  }

  /** Lets time pass, at most until `done`, and checks after everything that happens. */
  async run(duration: number, done: () => boolean = () => false): Promise<boolean> {
    const end = this.time.now + duration;
    await settled();
    if (done()) return true;
    while (this.violations.length === 0) {
      if (!this.time.step(end)) return done();
      const { touched } = this;
      if (touched === undefined) continue;
      this.touched = undefined;
      await settled();
      touched.check();
      if (done()) return true;
    }
    return true;
  }

  /** Code of a process has run. */
  touch(process: DeliveryProcess): void {
    this.touched = process;
  }

  /** After the time that news needs inside the cluster. */
  soon(happen: () => void): void {
    this.time.after(this.dice.between(0, 50), happen);
  }

  note(what: string): void {
    this.log.push(`${this.time.now.toFixed(1).padStart(9)}  ${what}`);
    if (this.log.length > LOG) this.log.shift();
  }

  violated(what: string): void {
    if (this.violations.includes(what)) return;
    this.note(`VIOLATED: ${what}`);
    this.violations.push(what);
  }

  private replicateLater(): void {
    this.time.after(this.dice.between(...REPLICATION), () => {
      this.server.replicate();
      this.replicateLater();
    });
  }

  private emitLater(): void {
    this.time.after(this.dice.between(0, 2 * this.options.load.gap), () => {
      if (!this.traffic) return;
      this.emit(1 + Math.floor(this.dice.roll() * 2));
      this.emitLater();
    });
  }
}

/** Until all code that can run has run. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
