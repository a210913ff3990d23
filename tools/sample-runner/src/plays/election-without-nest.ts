import { setTimeout as sleep } from 'node:timers/promises';
import type { Sample } from '../samples.js';
import type { Line } from '../sample-stage.js';

const leads = ({ text }: Line): boolean => text.startsWith('leads, term');

/** Three candidates. The leader is killed. Its successor freezes during its work, and writes after it has been replaced. */
export const electionWithoutNest: Sample = {
  folder: '005-election-without-nest',
  postgres: false,
  async play(stage) {
    const results = () => stage.redis.lrange('sample-005:results', 0, -1);
    const resultOf = ({ replica }: Line) =>
      stage.until('a result of the leader', async () =>
        (await results()).some((result) => result.endsWith(` ${replica.name}`)),
      );

    await stage.startAll(3);
    const first = await stage.hears('a replica leads', leads);
    await resultOf(first);

    stage.say(`kill -9 ${first.replica.name}`);
    const beforeKill = stage.lines.length;
    const killedAt = performance.now();
    await first.replica.crash();
    const second = await stage.hears('another replica leads', leads, beforeKill);
    await resultOf(second);

    stage.say(`freezes ${second.replica.name} until another one leads, then thaws it`);
    const beforeFreeze = stage.lines.length;
    // A step takes 250 ms. The result may arrive before the leader has handled it. A leader frozen then would not write again.
    await sleep(100);
    second.replica.pause();
    const third = await stage.hears('a third replica leads', leads, beforeFreeze);
    await resultOf(third);
    second.replica.resume();
    await stage.hears(
      'its late write is refused',
      ({ text }) => text.startsWith('FencedError'),
      beforeFreeze,
    );

    const terms = (await results()).map((result) => Number(result.split(' ')[0]));
    const fallen = terms.filter((term, index) => term < (terms[index - 1] ?? 0)).length;
    return {
      ok: fallen === 0 && new Set(terms).size === 3,
      leaders: new Set(terms).size,
      results: terms.length,
      refused: stage.lines.filter(({ text }) => text.startsWith('FencedError')).length,
      outOfOrder: fallen,
      failoverMs: Math.round(second.at - killedAt),
    };
  },
};
