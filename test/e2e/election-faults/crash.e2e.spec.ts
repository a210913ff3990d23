import { describe, expect, it, vi } from 'vitest';
import { useArena } from './support/use-arena.js';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

/** Three times the 1.5 s within which a killed leader is replaced, for machines that are busy. Milliseconds. */
const TIMEOUT = 4_500;

const generations = process.env.REDIS8_URL ? (['7', '8'] as const) : (['any'] as const);

describe.each(generations)('a leader that is killed, on Redis %s', (generation) => {
  const startArena = useArena();

  it('is replaced for being absent, long before its lease of 30 s ends', async () => {
    const arena = await startArena(4, { server: { generation } });
    const times: number[] = [];
    for (let kill = 0; kill < 3; kill++) {
      const leader = await arena.settled();
      const from = arena.journal.read();
      const killedAt = leader.kill();
      const acquired = await arena.next('acquired', from);
      expect(acquired).toMatchObject({ reason: 'absent' });
      times.push(Math.round(acquired.at - killedAt));
    }
    console.log(`Redis ${generation}: killed leaders replaced after ${times.join(', ')} ms`);
    for (const time of times) expect(time).toBeLessThan(TIMEOUT);
    await arena.settled();
  });
});
