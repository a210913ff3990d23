import { describe, expect, it } from 'vitest';
import { resolveLeaseTiming } from './lease-timing.js';

describe('resolveLeaseTiming', () => {
  it('derives the intervals from the length of the lease', () => {
    expect(resolveLeaseTiming()).toEqual({ lockTtl: 4_000, heartbeatInterval: 1_000, checkInterval: 2_000 });
    expect(resolveLeaseTiming({ lockTtl: 1_001 })).toEqual({
      lockTtl: 1_001,
      heartbeatInterval: 251,
      checkInterval: 501,
    });
  });

  it('names all problems', () => {
    expect(() => resolveLeaseTiming({ lockTtl: 100, heartbeatInterval: 50, checkInterval: 101 })).toThrow(
      /^lockTtl must be at least 200.*; .*heartbeatInterval.*; checkInterval/,
    );
  });
});
