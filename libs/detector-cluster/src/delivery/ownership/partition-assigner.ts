import { FencedError } from '@detector-cluster/election/fence';
import { toError, Waker } from '@detector-cluster/election/util';
import type { LogAddress } from '../log/log-address.js';
import type { Grant, OwnerRecord } from '../log/log-store.js';
import type { RouterContext } from '../send/router-context.js';
import type { DetectionRates } from './detection-rates.js';
import { planOwnership, type OwnershipStep } from './plan-ownership.js';

export interface AssignerHooks {
  /** The logs of the partitions, in order. */
  readonly partitions: () => readonly LogAddress[];
  readonly rates: DetectionRates;
  /** Processes that may own partitions at this moment, in order. */
  readonly candidates: () => readonly string[];
  readonly alive: () => ReadonlySet<string>;
  /** Writes partition → owner where others read it, and tells processes to read the owner records. */
  readonly publish: (assignments: Readonly<Record<string, string>>) => Promise<void>;
}

/** Most partitions that change between living processes at a time to level the load, as a part of all. */
const HAND_OVERS = 1 / 8;

/**
 * Gives partitions to processes; in the master. Level-based: whatever changes asks for a pass, passes run one at a time, and each
 * begins by reading the owner records. A grant names the record that it rests on, so a record that has changed is left to the
 * next pass.
 */
export class PartitionAssigner {
  /** Partition → owner, as last read or granted. */
  assignments: Readonly<Record<string, string>> = {};
  private readonly waker: Waker;
  private grants = 0;
  private published = '';
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly context: RouterContext,
    private readonly hooks: AssignerHooks,
  ) {
    this.waker = new Waker(context.clock);
  }

  start(): void {
    this.running ??= this.run();
  }

  /** Something has changed. */
  soon(): void {
    this.waker.wake();
  }

  /** Another master leads: grants nothing more. */
  stop(): void {
    this.stopped = true;
  }

  private async run(): Promise<void> {
    const { deposed, isValid, onEvent, options, signal } = this.context;
    while (!signal.aborted) {
      let wait = options.lookInterval;
      try {
        if (this.stopped) return;
        if (!isValid()) wait = 50;
        else if (await this.pass()) wait = options.levelInterval;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof FencedError) return deposed();
        onEvent({ type: 'redis-error', error: toError(error) });
        wait = 200;
      }
      await this.waker.sleep(wait, signal);
    }
  }

  /** Returns whether the next pass should come soon. */
  private async pass(): Promise<boolean> {
    const { context, hooks } = this;
    const logs = hooks.partitions();
    const records = await context.store.records(logs);
    if (context.signal.aborted) return false;
    const steps = planOwnership({
      records,
      candidates: hooks.candidates(),
      alive: hooks.alive(),
      rates: hooks.rates.current(),
      maxHandOvers: Math.max(1, Math.floor(logs.length * HAND_OVERS)),
    });
    const grants = steps.map(({ partition, action, expected, to }): Grant => {
      const epoch = action === 'keep' ? '' : `${context.term}.${++this.grants}`;
      return { log: logs[partition]!, action, process: to, epoch, expected };
    });
    const results = grants.length === 0 ? [] : await context.store.grant(context.term, grants);
    if (results.includes('deposed')) {
      context.deposed();
      return false;
    }
    const done = steps.filter((_, i) => results[i] === 'done');
    this.report(done);
    await this.publish(records, done);
    return steps.length > 0 || records.some(({ next }) => next !== '');
  }

  private async publish(records: readonly OwnerRecord[], done: readonly OwnershipStep[]): Promise<void> {
    const owners = new Map(records.map(({ process }, partition) => [partition, process]));
    for (const { partition, action, to } of done) if (action === 'take') owners.set(partition, to);
    const assignments = Object.fromEntries([...owners].filter(([, owner]) => owner !== ''));
    this.assignments = assignments;
    const text = JSON.stringify(assignments);
    if (text === this.published && done.length === 0) return;
    await this.hooks.publish(assignments);
    this.published = text;
  }

  private report(done: readonly OwnershipStep[]): void {
    for (const [action, type] of [
      ['take', 'partitions-taken'],
      ['hand-over', 'hand-over-asked'],
    ] as const) {
      const steps = done.filter((step) => step.action === action);
      for (const to of new Set(steps.map((step) => step.to))) {
        const partitions = steps.filter((step) => step.to === to).map(({ partition }) => partition);
        this.context.onEvent({ type, to, partitions });
      }
    }
  }
}
