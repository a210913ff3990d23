import { afterEach, expect } from 'vitest';
import { Arena, type ArenaOptions } from './arena.js';

/** Starts elections that end with the test. Whatever the test was about, the history must be clean. */
export function useArena(): (size: number, options?: ArenaOptions) => Promise<Arena> {
  const arenas: Arena[] = [];
  afterEach(async () => {
    const open = arenas.splice(0);
    try {
      for (const arena of open) expect(await arena.verdict()).toEqual([]);
    } finally {
      await Promise.all(open.map((arena) => arena.stop()));
    }
  }, 60_000);
  return async (size, options) => {
    const arena = await Arena.start(size, options);
    arenas.push(arena);
    return arena;
  };
}
