import type { MasterConnection } from './stage/master-connection.js';
import type { WorkerUnderTest } from './stage/worker-under-test.js';

/** What a check needs, and how to provide it. */
export const NEEDS = {
  v1: 'the worker is tried with version 1 of the protocol: give its address without #v2',
  v2: 'the worker is tried with version 2 of the protocol: give its address with #v2',
  token: 'the worker must ask for a token: give it with --token',
  log: 'the log of the worker must be readable here: give its file with --log',
  pid: 'the worker must run on this machine: give its process id with --pid',
} as const;

export type Need = keyof typeof NEEDS;

/** One rule of the protocol, and how to find out whether a worker keeps it. */
export type Check = Rule &
  (
    | { run(worker: WorkerUnderTest): Promise<void> }
    /** The master has just taken the worker over, which holds nothing. */
    | { play(master: MasterConnection, worker: WorkerUnderTest): Promise<void> }
  );

interface Rule {
  readonly id: string;
  /** A claim in the present tense. */
  readonly rule: string;
  /** Of docs/worker-protocol.md. */
  readonly section: string;
  readonly needs?: readonly Need[];
}

/** The worker breaks the rule. */
export class CheckFailedError extends Error {}

/** The rule does not apply to this worker. */
export class CheckSkippedError extends Error {}

/** Fails the check unless the condition holds. */
export function demand(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new CheckFailedError(otherwise);
}

export function skip(reason: string): never {
  throw new CheckSkippedError(reason);
}
