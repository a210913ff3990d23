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
