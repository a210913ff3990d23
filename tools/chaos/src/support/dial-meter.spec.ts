import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { DialMeter } from './dial-meter.js';

/** Begins this many dials and waits until they are counted. */
async function dial(meter: DialMeter, count: number): Promise<(() => void)[]> {
  const ends = Array.from({ length: count }, () => meter.begin());
  await turn();
  await turn();
  return ends;
}

describe('DialMeter', () => {
  it('counts concurrent dials', async () => {
    const meter = new DialMeter();
    const [first] = await dial(meter, 3);
    first!();
    first!();
    await dial(meter, 2);
    expect(meter.max).toBe(4);
  });

  it('does not count a dial that ends at once', async () => {
    const meter = new DialMeter();
    meter.begin()();
    await dial(meter, 1);
    expect(meter.max).toBe(1);
  });

  it('forgets the maximum at a reset, and keeps the dials in flight', async () => {
    const meter = new DialMeter();
    const ends = await dial(meter, 5);
    for (const end of ends.slice(0, 3)) end();
    meter.reset();
    expect(meter.max).toBe(2);
    await dial(meter, 1);
    expect(meter.max).toBe(3);
  });
});
