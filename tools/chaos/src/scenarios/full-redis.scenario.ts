import { withRedis } from '@detector-cluster/dev-services';
import { type AppProcess, partitionStreamPrefix } from '@detector-cluster/local-cluster';
import type { Redis } from 'ioredis';
import type { Figures, ScenarioContext } from '../scenario.js';
import { deliverThrough, type FaultFigures, summary } from '../support/deliver-through.js';
import { CannotMountError } from '../support/cannot-mount.error.js';
import { SmallDisk } from '../support/small-disk.js';
import { pause, until } from '../support/until.js';

const DISK_MB = 64;
/** How long Redis is full. Milliseconds. */
const LASTS = { full: 15_000, short: 3_000 };
/** Milliseconds. A short run has other programs beside it. */
const MAX_BACK = { full: 2_000, short: 20_000 };

const lasts = ({ short }: ScenarioContext): number => LASTS[short ? 'short' : 'full'];

const isBack = ({ backMs }: FaultFigures, { short }: ScenarioContext): boolean =>
  backMs <= MAX_BACK[short ? 'short' : 'full'];

type Policy = 'everysec' | 'always';

/**
 * The disk of Redis's append-only file is full for a while. With `appendfsync everysec` Redis refuses all writes until it can write
 * the file again. With `always` it ends, and must be started when there is room again.
 */
export async function diskFullScenario(context: ScenarioContext): Promise<Figures> {
  const parts: Record<string, Figures & FaultFigures> = {};
  for (const policy of ['everysec', 'always'] as const) {
    let disk: SmallDisk;
    try {
      disk = await SmallDisk.create(DISK_MB);
    } catch (error) {
      if (error instanceof CannotMountError) return { ok: true, skipped: error.message };
      throw error;
    }
    try {
      parts[policy] = await withFullDisk(context, policy, disk);
      context.progress(`${policy}: ${JSON.stringify(parts[policy])}`);
    } finally {
      await disk.close();
    }
  }
  return summary(parts);
}

function withFullDisk(context: ScenarioContext, policy: Policy, disk: SmallDisk) {
  const aof = ['--appendonly', 'yes', '--appendfsync', policy, '--auto-aof-rewrite-percentage', '0'];
  return deliverThrough(
    context,
    { ownRedis: { args: ['--dir', disk.path, ...aof] } },
    async ({ stage: { cluster, redis }, watch }) => {
      const { signal } = context;
      await disk.fill();
      let named = false;
      if (policy === 'everysec') {
        await until(signal, 'no master', () => watch.master === null);
        named = await says(cluster.backends, /disk/i, signal);
      } else await until(signal, 'the end of Redis', () => redis!.failed);
      await pause(lasts(context), signal);
      await disk.free();
      if (policy === 'always') await redis!.start();
      return { named };
    },
    (figures) => isBack(figures, context) && (figures.named || policy === 'always'),
  );
}

/**
 * The memory of Redis is full for a while, with the policy `noeviction`. The lease, acknowledgements and dead letters need no more
 * memory and continue; detections wait in the master, and what an operator wants is done or refused with the reason.
 */
export function memoryFullScenario(context: ScenarioContext): Promise<Figures> {
  const { signal } = context;
  return deliverThrough(
    context,
    { ownRedis: { args: ['--maxmemory-policy', 'noeviction'] } },
    async ({ stage, watch }) => {
      const { cluster } = stage;
      const redis = stage.redis!;
      const master = await until(signal, 'one master', () => watch.master);
      await withRedis(redis, fillMemory);
      const named = await says(cluster.backends, /memory/i, signal);
      const operator = await stage.operate('cordon', stage.links[0]!).then(
        () => 'done',
        ({ message }: Error) => message,
      );
      const streams = `${partitionStreamPrefix(cluster.keyPrefix)}{*}`;
      await until(signal, 'the acknowledgement of all that was accepted', () =>
        withRedis(redis, async (client) => {
          const lengths = await Promise.all((await client.keys(streams)).map((key) => client.xlen(key)));
          return lengths.every((length) => length === 0);
        }),
      );
      await pause(lasts(context), signal);
      // The answers of a slow machine may be missing for a moment.
      await until(signal, 'the same master', () => watch.master === master);
      await withRedis(redis, (client) => client.config('SET', 'maxmemory', '0'));
      return { named, operator };
    },
    (figures) => isBack(figures, context) && figures.named && /^done$|memory/.test(figures.operator),
  );
}

/** Leaves no memory, whatever is freed: what the cluster has stored is more than the limit. */
async function fillMemory(client: Redis): Promise<void> {
  const used = Number(/^used_memory:(\d+)/m.exec(await client.info('memory'))![1]);
  await client.config('SET', 'maxmemory', String(Math.round(used / 2)));
}

/** Whether each backend says what is full: in its log, and where a check of its health failed, also there. */
async function says(backends: readonly AppProcess[], what: RegExp, signal: AbortSignal): Promise<boolean> {
  await until(signal, `${what} in the log of a backend`, async () => {
    const logs = await Promise.all(backends.map((backend) => backend.log()));
    return logs.some((log) => what.test(log));
  });
  const health = await Promise.all(
    backends.map(async ({ url }) => (await fetch(`${url}/health/ready`)).text()),
  );
  return health.every((text) => what.test(text) || !text.includes('cannot be reached'));
}
