import { withRedis } from '@detector-cluster/dev-services';
import { type AppProcess, partitionStreamPrefix } from '@detector-cluster/local-cluster';
import type { Redis } from 'ioredis';
import { type FailoverVerdict, judgeFailover } from '../delivery/verdict.js';
import type { Figures, ScenarioContext } from '../scenario.js';
import { ChaosStage } from '../support/chaos-stage.js';
import { goesOn, untilDelivered } from '../support/going-on.js';
import { MasterWatch } from '../support/master-watch.js';
import { CannotMountError, SmallDisk } from '../support/small-disk.js';
import { pause, until } from '../support/until.js';

const BACKENDS = 3;
const WORKERS = 2;
const CAMERAS = 20;
const PER_SECOND = 500;
const DISK_MB = 64;
const TIMEOUT = 60_000;
/** Milliseconds. A short run has other programs beside it. */
const MOST_BACK = { full: 2_000, short: 20_000 };

type Policy = 'everysec' | 'always';

/**
 * The disk of Redis's append-only file is full for a while. With `appendfsync everysec` Redis refuses all writes until it can write
 * the file again. With `always` it ends, and must be started when there is room again.
 */
export async function diskFullScenario(context: ScenarioContext): Promise<Figures> {
  const parts: Partial<Record<Policy, FullFigures>> = {};
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
  const all = Object.values(parts);
  return {
    ok: all.every((each) => holds(each, context)) && parts.everysec!.named,
    lost: sum(all, 'lost'),
    outOfOrder: sum(all, 'outOfOrder'),
    backMs: Math.max(...all.map(({ backMs }) => backMs)),
    ...parts,
  };
}

function withFullDisk(context: ScenarioContext, policy: Policy, disk: SmallDisk): Promise<FullFigures> {
  const aof = ['--appendonly', 'yes', '--appendfsync', policy, '--auto-aof-rewrite-percentage', '0'];
  return play(context, ['--dir', disk.path, ...aof], async ({ cluster, redis }, watch, lasts) => {
    const { signal } = context;
    await disk.fill();
    let named = false;
    if (policy === 'everysec') {
      await until(signal, 'no master', TIMEOUT, () => watch.master === null);
      named = await says(cluster.backends, /disk/i, signal);
    } else await until(signal, 'the end of Redis', TIMEOUT, () => redis!.failed);
    await pause(lasts, signal);
    await disk.free();
    if (policy === 'always') await redis!.start();
    return named;
  });
}

/**
 * The memory of Redis is full for a while, with the policy `noeviction`. The lease, acknowledgements and dead letters need no more
 * memory and continue; detections wait in the master, and what an operator wants is done or refused with the reason.
 */
export async function memoryFullScenario(context: ScenarioContext): Promise<Figures> {
  const { signal } = context;
  let operator = '';
  const figures = await play(context, ['--maxmemory-policy', 'noeviction'], async (stage, watch, lasts) => {
    const { cluster } = stage;
    const redis = stage.redis!;
    const master = await until(signal, 'one master', TIMEOUT, () => watch.master);
    await withRedis(redis, fillMemory);
    const named = await says(cluster.backends, /memory/i, signal);
    operator = await stage.operate('cordon', stage.links[0]!).then(
      () => 'done',
      ({ message }: Error) => message,
    );
    const streams = `${partitionStreamPrefix(cluster.keyPrefix)}{*}`;
    await until(signal, 'the acknowledgement of all that was accepted', TIMEOUT, () =>
      withRedis(redis, async (client) => {
        const lengths = await Promise.all((await client.keys(streams)).map((key) => client.xlen(key)));
        return lengths.every((length) => length === 0);
      }),
    );
    await pause(lasts, signal);
    // The answers of a slow machine may be missing for a moment.
    await until(signal, 'the same master', TIMEOUT, () => watch.master === master);
    await withRedis(redis, (client) => client.config('SET', 'maxmemory', '0'));
    return named;
  });
  const { named, ...all } = figures;
  return { ok: holds(figures, context) && named && /^done$|memory/.test(operator), named, operator, ...all };
}

/** Leaves no memory, whatever is freed: what the cluster has stored is more than the limit. */
async function fillMemory(client: Redis): Promise<void> {
  const used = Number(/^used_memory:(\d+)/m.exec(await client.info('memory'))![1]);
  await client.config('SET', 'maxmemory', String(Math.round(used / 2)));
}

interface FullFigures extends FailoverVerdict {
  /** See {@link MasterWatch.rivals}. */
  readonly rivals: number;
  /** From the relief until one process was master. */
  readonly backMs: number;
  /** Health, state for the page and log say what is full. */
  readonly named: boolean;
  readonly accepted: number;
}

const holds = ({ backMs, lost, outOfOrder, rivals }: FullFigures, { short }: ScenarioContext): boolean =>
  lost + outOfOrder + rivals === 0 && backMs <= MOST_BACK[short ? 'short' : 'full'];

const sum = (all: readonly FullFigures[], name: 'lost' | 'outOfOrder'): number =>
  all.reduce((total, figures) => total + figures[name], 0);

/** @param fault lets Redis be full for so many milliseconds. Resolves at its relief, with whether the backends said what is full. */
function play(
  context: ScenarioContext,
  args: readonly string[],
  fault: (stage: ChaosStage, watch: MasterWatch, lasts: number) => Promise<boolean>,
): Promise<FullFigures> {
  const { short, signal } = context;
  const env = { DETECTIONS_PER_SECOND: String(PER_SECOND / CAMERAS) };
  const options = {
    backends: BACKENDS,
    cameras: CAMERAS,
    ownRedis: { args },
    hosts: [{ name: 'workers', workers: WORKERS, env }],
    journal: true,
    backendEnv: { JOURNAL_ACCEPTED: 'on' },
  };
  let figures: FullFigures | undefined;
  return ChaosStage.with(context, options, async (stage) => {
    const { cluster, journal } = stage;
    const watch = new MasterWatch(cluster.backends);
    try {
      await goesOn(journal, signal);
      const named = await fault(stage, watch, short ? 3_000 : 15_000);
      const relief = performance.now();
      await until(signal, 'one master', TIMEOUT, () => watch.master);
      const backMs = Math.round(performance.now() - relief);
      await goesOn(journal, signal);
      await stage.hosts[0]!.process.crash();
      const verdict = () => judgeFailover(journal.accepted, journal.deliveries);
      await untilDelivered(journal, verdict, signal);
      figures = { ...verdict(), rivals: watch.rivals, backMs, named, accepted: journal.accepted.size };
    } finally {
      await watch.end();
    }
    return { ok: holds(figures, context) };
  }).then(() => figures!);
}

/** Whether each backend says what is full: in its log, and where a check of its health failed, also there. */
async function says(backends: readonly AppProcess[], what: RegExp, signal: AbortSignal): Promise<boolean> {
  await until(signal, `${what} in the log of a backend`, TIMEOUT, async () => {
    const logs = await Promise.all(backends.map((backend) => backend.log()));
    return logs.some((log) => what.test(log));
  });
  const health = await Promise.all(
    backends.map(async ({ url }) => (await fetch(`${url}/health/ready`)).text()),
  );
  return health.every((text) => what.test(text) || !text.includes('cannot be reached'));
}
