import { setTimeout as sleep } from 'node:timers/promises';
import type { Sample } from './samples.js';
import type { Line } from './sample-stage.js';

const leads = ({ text }: Line): boolean => text.startsWith('leads, term');

const isRefusal = ({ text }: Line): boolean => text.startsWith('FencedError');

/** Three candidates. The leader is killed. Its successor freezes during its work, and writes after it has been replaced. */
export const electionWithoutNest: Sample = {
  folder: '005-election-without-nest',
  postgres: false,
  async play(stage) {
    const results = () => stage.redis.lrange('sample-005:results', 0, -1);
    const resultOf = ({ replica, text }: Line) =>
      stage.until('a result of the leader', async () =>
        (await results()).includes(`${text.split(' ').at(-1)} ${replica.name}`),
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

    let freezes = 0;
    for (let [leader, isRefused] = [second, false]; !isRefused; freezes++) {
      const { replica } = leader;
      stage.say(`freezes ${replica.name} until another one leads, then thaws it`);
      const beforeFreeze = stage.lines.length;
      // A step takes 250 ms.
      await sleep(100);
      replica.pause();
      leader = await stage.hears('another replica leads', leads, beforeFreeze);
      await resultOf(leader);
      replica.resume();
      const isOfThawed = (line: Line) => line.replica === replica;
      await stage.hears(
        'the thawed one follows',
        (line) => isOfThawed(line) && line.text.startsWith('follows'),
        beforeFreeze,
      );
      // A leader that was frozen between a write and its answer does not write again. Then the next leader is frozen.
      isRefused = stage.lines.slice(beforeFreeze).some((line) => isOfThawed(line) && isRefusal(line));
    }

    const terms = (await results()).map((result) => Number(result.split(' ')[0]));
    const fallen = terms.filter((term, index) => term < (terms[index - 1] ?? 0)).length;
    return {
      ok: fallen === 0 && new Set(terms).size === 2 + freezes,
      leaders: new Set(terms).size,
      results: terms.length,
      refused: stage.lines.filter(isRefusal).length,
      outOfOrder: fallen,
      failoverMs: Math.round(second.at - killedAt),
    };
  },
};
