import { readdir, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { RedisService } from '@detector-cluster/dev-services';
import type { Figures, ScenarioContext } from '../scenario.js';
import type { ChaosStage } from '../support/chaos-stage.js';
import { deliverThrough, PROMISES, type Faulted } from '../support/deliver-through.js';
import { goesOn } from '../support/going-on.js';
import { until } from '../support/until.js';

const ROUNDS = { full: 6, short: 2 };
const MULTI = '*1\r\n$5\r\nMULTI\r\n';
const EXEC = '*1\r\n$4\r\nEXEC\r\n';
/** So many detections wait when the power goes. */
const IN_FLIGHT = 50;
const AOF = ['--appendonly', 'yes', '--appendfsync', 'always', '--auto-aof-rewrite-percentage', '0'];

/**
 * A master is killed and replaced. Then the machine of Redis stands still and loses power: Redis comes back without the end of its
 * append-only file, from somewhere in the term of the new master on. Every other time it has forgotten the whole term, which continues.
 */
export function aofTornScenario(context: ScenarioContext): Promise<Figures> {
  return deliverThrough(
    context,
    // What Redis forgets is also the fence.
    {
      ownRedis: { args: AOF },
      promises: [...PROMISES.filter((name) => name !== 'staleWrites'), 'termsBack'],
    },
    async (faulted) => {
      const rounds = ROUNDS[context.short ? 'short' : 'full'];
      for (let round = 0; round < rounds; round++) {
        if (round > 0) await goesOn(faulted.stage.history, context.signal);
        await tear(context, faulted, round % 2 === 0);
      }
      return { rounds, termsBack: faulted.watch.claims.termsBack };
    },
    () => true,
  );
}

async function tear(
  { random, signal, progress }: ScenarioContext,
  { stage, watch }: Faulted,
  forgetsTerm: boolean,
): Promise<void> {
  const redis = stage.redis!;
  const file = await appendOnlyFile(redis);
  const former = await until(signal, 'one master', () => watch.master);
  await former.crash();
  const from = (await stat(file)).size;
  await until(signal, 'another master', () => watch.master !== null && watch.master !== former);
  await goesOn(stage.history, signal);
  redis.pause();
  const enough = (await made(stage)) + IN_FLIGHT;
  await until(signal, 'detections that Redis does not take', async () => (await made(stage)) >= enough);
  await redis.kill();
  const content = await readFile(file);
  const kept = forgetsTerm ? from : random.between(from, content.length);
  await truncate(file, kept);
  await redis.start();
  const valid = endOfValid(content.subarray(0, kept));
  stage.history.write(idsIn(content.subarray(valid)).map((forgotten) => ({ forgotten })));
  progress(`${content.length - valid} of ${content.length - from} bytes are forgotten`);
  await former.start();
}

/** How many detections the workers have made. */
async function made({ links }: ChaosStage): Promise<number> {
  const counts = await Promise.all(links.map(async (link) => Object.values((await link.stats()).sequences)));
  return counts.flat().reduce((sum, count) => sum + count, 0);
}

/** The file to which Redis appends: from Redis 7 on one of several. */
async function appendOnlyFile({ directory }: RedisService): Promise<string> {
  const files = await readdir(directory, { recursive: true });
  return join(
    directory,
    files.find((each) => /\.incr\.aof$|^appendonly\.aof$/.test(each))!,
  );
}

/** Up to where Redis carries out the commands: it skips what the cut has left of a transaction. */
function endOfValid(content: Buffer): number {
  const begun = content.lastIndexOf(MULTI);
  return begun > content.lastIndexOf(EXEC) ? begun : content.length;
}

function idsIn(bytes: Buffer): string[] {
  return [...bytes.toString('latin1').matchAll(/"detectionId":"([^"]+)"/g)].map(([, id]) => id!);
}
