import type { LongestBlock } from '../support/block-watch.js';

/** Arguments of a backend of the scale benchmark. */
export interface ScaleBackendArguments {
  readonly redisUrl: string;
  readonly prefix: string;
  /** URLs of its workers. */
  readonly workers: readonly string[];
  /** How many subscriptions a worker may hold. */
  readonly capacity: number;
  /** How many subscriptions are desired. */
  readonly subscriptions: number;
}

/** Calls of a backend of the scale benchmark. */
export interface ScaleBackendCalls {
  isMaster(): Promise<boolean>;
  /** Makes all subscriptions desired. */
  fill(): Promise<void>;
  /** Whether it sees all workers online under the master of this id. */
  heard(masterId: string): Promise<boolean>;
  /** Whether it sees all workers online under the master of this id, and all subscriptions active. */
  whole(masterId: string): Promise<boolean>;
  nodeId(): Promise<string>;
  /** Changes the stream of one subscription. Returns the time on the shared clock. */
  change(subscription: number): Promise<number>;
  /** Applies a change that another backend made. */
  adopt(subscription: number): Promise<void>;
  /** Milliseconds of `count` calls of `getState`, one every `interval` ms. */
  sampleState(count: number, interval: number): Promise<number[]>;
  /** The longest time that its event loop was blocked since it was last asked. */
  longestBlock(): Promise<LongestBlock>;
  /** Whether the event loop is watched; it is from the start. */
  watchBlocks(on: boolean): Promise<void>;
  /** Processor time of all threads so far. Microseconds. */
  cpuTime(): Promise<number>;
  /** Bytes in use after a collection. */
  heap(): Promise<number>;
}

/** Calls of the workers of the scale benchmark. */
export interface ScaleWorkersCalls {
  urls(): Promise<string[]>;
  /** Commands since the last call. */
  commands(): Promise<number>;
  /** When any worker last got the subscription, on the shared clock; null: never. */
  toldAt(subscriptionIdentifier: string): Promise<number | null>;
}

/** Durations of planner and reconciler without sockets. Milliseconds. */
export interface DecisionFigures {
  /** A plan that places everything from scratch, without interruption. */
  readonly planMs: number;
  /** The longest part of a pass that cannot be interrupted. */
  readonly longestBlockMs: number;
  /** The longest pause of the garbage collection, which is part of the blocks. */
  readonly longestCollectionMs: number;
  /** A pass over everything that finds everything in place. */
  readonly wholePassMs: number;
  /** A pass over one changed subscription, P99. */
  readonly oneRowMs: number;
}

export interface DecisionsCalls {
  measure(): Promise<DecisionFigures>;
}

/** Subscriptions on each worker. */
export const PER_WORKER = 100;

export const identifierOf = (subscription: number): string =>
  `display-${subscription};camera-${subscription}`;
