import { expect, it } from 'vitest';
import { VirtualClock } from '../../../testing/virtual-clock.js';
import { ServerAge } from './server-age.js';

it('counts for how long it has seen one run of a server, and begins again with another run', () => {
  const clock = new VirtualClock(5_000);
  const age = new ServerAge(clock);
  expect(age.args).toEqual(['', 0]);
  age.saw('first');
  clock.advance(10_200);
  age.saw('first');
  expect(age.args[0]).toBe('first');
  // A little less, for clocks that run differently.
  expect(age.args[1]).toBeGreaterThan(9_900);
  expect(age.args[1]).toBeLessThan(10_200);
  age.saw('second');
  expect(age.args).toEqual(['second', 0]);
});
