import type { Sample } from './samples.js';

/** As in the cron expression of the job. Milliseconds. */
const PERIOD = 2_000;

/** Three replicas. The one that runs the job is killed. */
export const cronOnOneReplica: Sample = {
  folder: '001-cron-on-one-replica',
  postgres: false,
  async play(stage) {
    const reportsOf = (name: string) =>
      stage.lines.filter(({ replica, text }) => replica.name === name && text.startsWith('report')).length;
    await stage.startAll(3);
    const { replica: first } = await stage.hears('a replica leads', ({ text }) => text.startsWith('leads'));
    await stage.until('two reports', () => reportsOf(first.name) >= 2);

    stage.say(`kill -9 ${first.name}, which runs the job`);
    const killedAt = performance.now();
    await first.crash();
    const { replica: second, at } = await stage.hears(
      'another replica leads',
      ({ replica, text }) => replica !== first && text.startsWith('leads'),
    );
    await stage.until('two reports of the next master', () => reportsOf(second.name) >= 2);

    const runs = await stage.redis.hgetall('sample-001:runs');
    const ticks = Object.keys(runs).map(Number);
    const due = (Math.max(...ticks) - Math.min(...ticks)) / PERIOD + 1;
    const ranTwice = Object.values(runs).filter((times) => times !== '1').length;
    return {
      ok: ranTwice === 0,
      ticks: ticks.length,
      ranTwice,
      // More than 0 only if there was no master for longer than one period.
      skipped: due - ticks.length,
      failoverMs: Math.round(at - killedAt),
    };
  },
};
