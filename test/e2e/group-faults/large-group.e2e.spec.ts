import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { useGroup } from './support/use-group.js';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const newGroup = useGroup();

it('a group works with 100 members, at a load per member that does not grow with them', async () => {
  // Four processes have to do the work of a hundred: what is slow has not failed.
  const group = newGroup({ pingCycle: 1_000, failureThreshold: 20, leaseTtl: 4_000 }, 25);
  await group.start(4);
  const states = () => group.living.flatMap((each) => each.states);
  expect(new Set(states().map(({ id }) => id)).size).toBe(100);
  const count = () => states().reduce((sum, { sent }) => sum + sent, 0);
  const [before, at] = [count(), performance.now()];
  await sleep(2_000);
  await group.agreed();
  const cycles = (performance.now() - at) / 1_000;
  // Three pings, three answers, as many to those of others; on a busy machine some are slow, and others are asked about them.
  // A member that pings all others would send 99 pings and get 99 answers.
  expect((count() - before) / 100 / cycles).toBeLessThan(90);
});
