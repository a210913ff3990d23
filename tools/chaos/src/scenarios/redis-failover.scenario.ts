import {
  type RedisSentinelService,
  type RedisService,
  startRedisSentinel,
  withRedis,
} from '@detector-cluster/dev-services';
import type { AppProcess } from '@detector-cluster/local-cluster';
import { checkHistory, type FailoverVerdict } from '@detector-cluster/history';
import type { Figures, ScenarioContext } from '../scenario.js';
import { ChaosStage } from '../support/chaos-stage.js';
import { endSending } from '../support/end-sending.js';
import { goesOn, untilDelivered } from '../support/going-on.js';
import { pause, until } from '../support/until.js';

const BACKENDS = 3;
const WORKERS = 2;
const CAMERAS = 20;
const PER_SECOND = 1_000;
/** Milliseconds under load before the next kill. */
const BETWEEN = [1_000, 3_000] as const;
/** How far the replica and the owners of partitions are behind at every other kill. Milliseconds. */
const LAG = [300, 700] as const;

const ACCEPTANCE = { DELIVERY_ACCEPTANCE_REPLICAS: '1', DELIVERY_ACCEPTANCE_TIMEOUT: '1000' };

/**
 * The Redis master is killed under load, its replica takes over, and the killed server comes back as a replica. Replication is
 * asynchronous: without the option `acceptance` the new master may lack detections that the old one had accepted. With the
 * option a detection is accepted when a replica has it. What masters call accepted, the backends write into the history.
 */
export async function redisFailoverScenario(context: ScenarioContext): Promise<Figures> {
  const kills = context.short ? { with: 2, without: 1 } : { with: 10, without: 5 };
  const confirmed = await part(context, kills.with, ACCEPTANCE);
  const plain = await part(context, kills.without, {});
  return {
    ok: confirmed.lost === 0 && confirmed.outOfOrder === 0 && plain.outOfOrder === 0,
    lost: confirmed.lost,
    outOfOrder: confirmed.outOfOrder,
    duplicates: confirmed.duplicates,
    accepted: confirmed.accepted,
    maxOutageMs: confirmed.maxOutageMs,
    kills: kills.with,
    lostWithoutOption: plain.lost,
    outOfOrderWithoutOption: plain.outOfOrder,
    acceptedWithoutOption: plain.accepted,
    maxOutageMsWithoutOption: plain.maxOutageMs,
    killsWithoutOption: kills.without,
  };
}

interface PartFigures extends FailoverVerdict {
  readonly accepted: number;
  /** Longest time from a kill until enough was accepted again. With the option, that needs the killed server as a replica. */
  readonly maxOutageMs: number;
}

async function part(
  context: ScenarioContext,
  kills: number,
  acceptance: Readonly<Record<string, string>>,
): Promise<PartFigures> {
  const sentinel = await startRedisSentinel();
  const backendEnv = {
    ...acceptance,
    REDIS_URL: '',
    REDIS_SENTINELS: sentinel.sentinels.map(({ host, port }) => `${host}:${port}`).join(),
    REDIS_SENTINEL_NAME: sentinel.name,
    JOURNAL_ACCEPTED: 'on',
  };
  const options = {
    backends: BACKENDS,
    cameras: CAMERAS,
    hosts: [
      {
        name: 'workers',
        workers: WORKERS,
        env: { DETECTIONS_PER_SECOND: String(PER_SECOND / CAMERAS) },
      },
    ],
    journal: true,
    promised: {
      acceptance: 'masters',
      promises: acceptance === ACCEPTANCE ? ['lost', 'outOfOrder'] : ['outOfOrder'],
    } as const,
    backendEnv,
  };
  try {
    // Only the backends use Redis, and they ask the sentinel for its address.
    const redisUrl = sentinel.nodes[0]!.url;
    let figures: PartFigures | undefined;
    await ChaosStage.with({ ...context, redisUrl }, options, async (stage) => {
      figures = await run(context, stage, sentinel, kills);
      return { ok: true };
    });
    return figures!;
  } finally {
    await sentinel.stop();
  }
}

async function run(
  { random, signal, progress }: ScenarioContext,
  stage: ChaosStage,
  sentinel: RedisSentinelService,
  kills: number,
): Promise<PartFigures> {
  const { history } = stage;
  let maxOutageMs = 0;
  await goesOn(history, signal);
  for (let kill = 1; kill <= kills; kill++) {
    await pause(random.between(...BETWEEN), signal);
    const master = await sentinel.master();
    const leader = await until(signal, 'one master of the backends', () => stage.cluster.master());
    const owners = stage.cluster.backends.filter((backend) => backend !== leader);
    const lag = (kills - kill) % 2 === 0 ? random.between(...LAG) : 0;
    if (lag > 0) await killBehind(sentinel, master, owners, lag, signal);
    else await master.kill();
    const killedAt = performance.now();
    const successor = await sentinel.promoted(master);
    const promotedMs = Math.round(performance.now() - killedAt);
    // The sentinel checks replicas every 10 s, so the old master may rejoin long after detections continue.
    const rejoined = rejoin(sentinel, master, successor, signal);
    rejoined.catch(() => undefined);
    await goesOn(history, signal);
    const outage = Math.round(performance.now() - killedAt);
    await rejoined;
    maxOutageMs = Math.max(maxOutageMs, outage);
    progress(
      `kill ${kill} of ${kills}: replica ${lag} ms behind, promoted after ${promotedMs} ms, detections continue after ${outage} ms`,
    );
  }
  await pause(1_000, signal);
  await endSending(stage, CAMERAS, signal);
  await stage.hosts[0]!.process.crash();
  await untilDelivered(history, () => checkHistory(history).figures, signal);
  const { accepted, duplicates, lost, outOfOrder } = stage.conclude().figures;
  return { lost, outOfOrder, duplicates, accepted, maxOutageMs };
}

/**
 * Kills the master of Redis with a backlog that its replicas do not have: for `lag` ms they receive nothing, and the owners of
 * partitions take nothing. The replicas are frozen and disconnected, because a replica that is only frozen would still find the
 * master's last data in its socket.
 */
async function killBehind(
  sentinel: RedisSentinelService,
  master: RedisService,
  owners: readonly AppProcess[],
  lag: number,
  signal: AbortSignal,
): Promise<void> {
  const frozen = [...sentinel.nodes.filter((node) => node !== master), ...owners];
  for (const each of frozen) each.pause();
  try {
    await withRedis(master, (redis) => redis.call('CLIENT', 'KILL', 'TYPE', 'replica'));
    await pause(lag, signal);
    await master.kill();
  } finally {
    for (const each of frozen) each.resume();
  }
}

/**
 * Starts a killed server as a replica of the current master. Resolves when the sentinel knows that it could take over.
 * Sentinel itself would make it a replica only after about ten seconds.
 */
async function rejoin(
  sentinel: RedisSentinelService,
  killed: RedisService,
  master: RedisService,
  signal: AbortSignal,
): Promise<void> {
  // During the failover the sentinel still watches the killed server, and would consider a replica there a failed master.
  await until(signal, 'the sentinel to watch the new master', () =>
    withRedis(sentinel.watcher, async (redis) => {
      const { flags, port } = toRecord((await redis.call('SENTINEL', 'MASTER', sentinel.name)) as string[]);
      return flags === 'master' && Number(port) === master.port;
    }),
  );
  await killed.start();
  await withRedis(killed, (redis) => redis.replicaof(master.host, master.port));
  await until(signal, 'the server to be a replica again', () =>
    withRedis(sentinel.watcher, async (redis) => {
      const replicas = (await redis.call('SENTINEL', 'REPLICAS', sentinel.name)) as string[][];
      const found = replicas.map(toRecord).find(({ port }) => Number(port) === killed.port);
      return found?.flags === 'slave' && found['master-link-status'] === 'ok';
    }),
  );
}

const toRecord = (fields: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: fields.length / 2 }, (_, i) => [fields[2 * i]!, fields[2 * i + 1]!]),
  );
