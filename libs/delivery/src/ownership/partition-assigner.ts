import { FencedError } from '@detector-cluster/election/fence';
import { Repeater } from '@detector-cluster/election/internal';
import type { LogAddress } from '../log/log-address.js';
import type { Grant, OwnerRecord } from '../log/log-store.js';
import type { OwnershipContext } from './ownership-context.js';
import { planOwnership, type OwnershipStep, type Workloads } from './plan-ownership.js';
import { DetectionRates } from './detection-rates.js';

export interface AssignerHooks {
  readonly partitions: () => readonly LogAddress[];
  readonly candidates: () => readonly string[];
  readonly alive: () => ReadonlySet<string>;
  readonly absent: () => ReadonlySet<string>;
  readonly workloads: () => Workloads;
  /** Writes partition → owner; if they have `changed`, also publishes that and has processes read the owner records. */
  readonly publish: (assignments: Readonly<Record<string, string>>, changed: boolean) => Promise<void>;
}

/** Share of the partitions that may move between living processes at a time to balance the load. */
const HAND_OVERS = 1 / 8;

/** Pause after a pass that failed. Milliseconds. */
const AFTER_FAILURE = 200;

/**
 * Gives partitions to processes; in the master. Level-based: each change requests a pass, passes run one at a time, and each pass
 * begins by reading the owner records. A grant names the record that it rests on, so a record that has changed is left to the next
 * pass.
 */
export class PartitionAssigner {
  readonly rates: DetectionRates;
  private readonly passes: Repeater;
  private grants = 0;
  private published = '';
  private stopped = false;

  constructor(
    private readonly context: OwnershipContext,
    private readonly hooks: AssignerHooks,
  ) {
    const { clock, signal } = context;
    this.rates = new DetectionRates(() => clock.now());
    this.passes = new Repeater({
      clock,
      signal,
      held: true,
      run: () => this.pass(),
      onError: (error) => this.failed(error),
    });
  }

  start(): void {
    this.passes.start();
  }

  /** Something has changed. */
  soon(): void {
    this.passes.poke();
  }

  /** Another master leads, so this one grants nothing more. */
  stop(): void {
    this.stopped = true;
  }

  private async pass(): Promise<void> {
    const { isValid, options } = this.context;
    if (this.stopped) return;
    if (!isValid()) return this.passes.poke(50);
    this.passes.poke((await this.assign()) ? options.rebalanceInterval : options.lookInterval);
  }

  private failed(error: Error): void {
    if (error instanceof FencedError) return this.context.deposed();
    this.context.onEvent({ type: 'redis-error', error });
    this.passes.poke(AFTER_FAILURE);
  }

  /** Returns whether the next pass should come soon. */
  private async assign(): Promise<boolean> {
    const { context, hooks } = this;
    const logs = hooks.partitions();
    const records = await context.store.records(logs);
    if (context.signal.aborted) return false;
    const steps = planOwnership({
      records,
      candidates: hooks.candidates(),
      alive: hooks.alive(),
      absent: hooks.absent(),
      workloads: hooks.workloads(),
      rates: this.rates.ofAll(logs.length),
      maxHandOvers: Math.max(1, Math.floor(logs.length * HAND_OVERS)),
    });
    const grants = steps.map(({ partition, action, expected, to }): Grant => {
      const epoch = action === 'keep' ? '' : `${context.term}.${++this.grants}`;
      return { log: logs[partition]!, action, process: to, epoch, expected };
    });
    const results = grants.length === 0 ? [] : await context.store.grant(context.term, grants);
    const disputed = grants.filter((_, i) => results[i] === 'deposed');
    if (disputed.length > 0) await context.disputed(disputed.map(({ log }) => log));
    if (context.signal.aborted) return false;
    const done = steps.filter((_, i) => results[i] === 'done');
    this.report(done);
    await this.publish(records, done);
    return steps.length > 0 || records.some(({ next }) => next !== '');
  }

  private async publish(records: readonly OwnerRecord[], done: readonly OwnershipStep[]): Promise<void> {
    const owners = new Map(records.map(({ process }, partition) => [partition, process]));
    for (const { partition, action, to } of done) if (action === 'take') owners.set(partition, to);
    const assignments = Object.fromEntries([...owners].filter(([, owner]) => owner !== ''));
    const text = JSON.stringify(assignments);
    await this.hooks.publish(assignments, text !== this.published || done.length > 0);
    this.published = text;
  }

  private report(done: readonly OwnershipStep[]): void {
    const types = { take: 'partitions-taken', 'hand-over': 'hand-over-asked' } as const;
    for (const action of ['take', 'hand-over'] as const) {
      const steps = done.filter((step) => step.action === action);
      for (const to of new Set(steps.map((step) => step.to))) {
        const partitions = steps.filter((step) => step.to === to).map(({ partition }) => partition);
        this.context.onEvent({ type: types[action], to, partitions });
      }
    }
  }
}
