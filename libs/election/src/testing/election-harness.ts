import type { ElectionBackend } from '../contract/election-backend.js';
import type { Clock } from '../util/clock.js';

/** One election on one store, as the conformance suite uses it. Each test gets a new one. */
export interface ElectionHarness {
  /**
   * A candidate's backend. All backends of a harness compete in the same election.
   * @param clock what the backend must use as its clock; undefined: the clock of the system
   */
  createBackend(clock?: Clock): ElectionBackend | Promise<ElectionBackend>;
  /**
   * Cuts a backend off from the store for good: nothing that it sends arrives any more, and it gets no notice of that. Needed unless
   * `leasesExpire` is false.
   */
  cut?(backend: ElectionBackend): void | Promise<void>;
  /** Restarts the store, which may lose its data. Needed if `restartsStore` is true. */
  restartStore?(): Promise<void>;
  /** A leader that was cut off is replaced within this time. Milliseconds. */
  readonly failoverWithin: number;
  /**
   * A renew deadline of the elector that leaves work some time to end before another candidate leads. Milliseconds. Default: half of
   * `failoverWithin`.
   */
  readonly renewDeadline?: number;
  /** A candidate leads again within this time after the store has restarted. Milliseconds. Default: `failoverWithin`. */
  readonly recoveryWithin?: number;
  /** Removes what the election left in the store. All backends are closed. */
  dispose(): Promise<void>;
}

/** What the suite needs of a test runner. Jest, Vitest with `globals`, and Mocha provide it globally; others pass it. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>, timeout?: number): unknown;
  beforeEach(body: () => Promise<void>, timeout?: number): unknown;
  afterEach(body: () => Promise<void>, timeout?: number): unknown;
}

export function globalTestRunner(): TestRunner {
  const runner = globalThis as Partial<TestRunner>;
  const { describe, it, beforeEach, afterEach } = runner;
  if (!describe || !it || !beforeEach || !afterEach)
    throw new Error('no describe, it, beforeEach and afterEach are global: pass them as the last argument');
  return { describe, it, beforeEach, afterEach };
}
