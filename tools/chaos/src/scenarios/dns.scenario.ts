import { installChangeFeed } from '@detector-cluster/detector-cluster/change-feed';
import { withPostgres } from '@detector-cluster/dev-services';
import { get, type AppProcess } from '@detector-cluster/local-cluster';
import type { Figures, ScenarioContext } from '../scenario.js';
import { CannotMountError } from '../support/cannot-mount.error.js';
import type { ChaosStage } from '../support/chaos-stage.js';
import { deliverThrough, type Faulted } from '../support/deliver-through.js';
import { goesOn } from '../support/going-on.js';
import { MovingServer } from '../support/moving-server.js';
import { PrivateNames } from '../support/private-names.js';
import { pause, until } from '../support/until.js';

/** Between the end of a server and that of its old address. Milliseconds. */
const NAME_FOLLOWS = 1_000;
/** Milliseconds. A short run has other programs beside it. */
const MAX_MOVED = { full: 5_000, short: 20_000 };

type ServerName = 'redis' | 'postgres' | 'worker';

/**
 * How long clients may take to notice that a server does not answer any more. A statement waits for Postgres for 5 s, and one that
 * begins while another waits does so as well. Milliseconds.
 */
const NOTICED: Readonly<Record<ServerName, number>> = { redis: 1_000, postgres: 10_000, worker: 10_000 };

/**
 * Redis, Postgres and a worker move: their names lead to another address. First each ends its connections when it moves, then its
 * old address falls silent.
 */
export async function dnsScenario(context: ScenarioContext): Promise<Figures> {
  let names: PrivateNames;
  try {
    names = await PrivateNames.create();
  } catch (error) {
    if (error instanceof CannotMountError) return { ok: true, skipped: error.message };
    throw error;
  }
  const servers = new Map<ServerName, MovingServer>();
  try {
    return await deliverThrough(
      context,
      {
        backendPrefix: names.prefix,
        backendEnv: { CHANGE_FEED: 'true' },
        spareCameras: 2,
        prepare: (stage) => prepare(stage, names, servers),
      },
      (faulted) => moveAll(context, faulted, servers),
      ({ late, kept }) => late === null && kept === 0,
    );
  } finally {
    for (const server of servers.values()) server.close();
    await names.close();
  }
}

async function prepare(
  { cluster, redis, links }: ChaosStage,
  names: PrivateNames,
  servers: Map<ServerName, MovingServer>,
): Promise<Record<string, string>> {
  const database = new URL(cluster.databaseUrl);
  await withPostgres(cluster.databaseUrl, (client) => installChangeFeed(client));
  const [moving, ...others] = links;
  const ports = { redis: redis!.port, postgres: Number(database.port), worker: moving!.port };
  for (const name of ['redis', 'postgres', 'worker'] as const)
    servers.set(name, await MovingServer.start(names, `${name}.moving.test`, ports[name]));
  database.host = servers.get('postgres')!.host;
  return {
    REDIS_URL: `redis://${servers.get('redis')!.host}`,
    DATABASE_URL: database.href,
    DETECTOR_WORKERS: [`ws://${servers.get('worker')!.host}`, ...others.map(({ url }) => url)].join(','),
  };
}

interface Moved {
  /** Milliseconds until everything worked again, for each move. */
  readonly movedMs: Readonly<Record<string, number>>;
  /** The move after which the cluster did not work in time, if any. It is the last one. */
  readonly late: string | null;
  /** Attempts to connect to an old address after everything worked again. */
  readonly kept: number;
}

async function moveAll(
  context: ScenarioContext,
  faulted: Faulted,
  servers: ReadonlyMap<ServerName, MovingServer>,
): Promise<Moved> {
  const { short, signal, progress } = context;
  const movedMs: Record<string, number> = {};
  let kept = 0;
  for (const how of ['ends', 'silent'] as const)
    for (const [name, server] of servers) {
      const move = `${name}-${how}`;
      const old = server.link;
      if (how === 'ends') {
        old.close();
        await pause(NAME_FOLLOWS, signal);
      }
      const most = MAX_MOVED[short ? 'short' : 'full'] + (how === 'silent' ? NOTICED[name] : 0);
      const since = performance.now();
      const movedAt = Date.now();
      await server.move();
      if (how === 'silent') old.disappear();
      try {
        await worksAgain(context, faulted, name, { movedAt, most });
      } catch (error) {
        signal.throwIfAborted();
        progress(`${move}: ${(error as Error).message}`);
        return { movedMs, late: move, kept };
      }
      movedMs[move] = Math.round(performance.now() - since);
      await goesOn(faulted.stage.history, signal);
      const { dials, open } = old;
      progress(`${move}: ${movedMs[move]} ms, ${open} connections to the old address`);
      await until(signal, 'the end of the connections to the old address', () => old.open === 0);
      progress(`the last one ended after ${Math.round(performance.now() - since)} ms`);
      kept += old.dials - dials;
    }
  return { movedMs, late: null, kept };
}

/** Resolves when the cluster uses the server at its new address. Rejects after about `most` ms. */
async function worksAgain(
  { signal }: ScenarioContext,
  { stage }: Faulted,
  name: ServerName,
  { movedAt, most }: { readonly movedAt: number; readonly most: number },
): Promise<void> {
  const { cluster, history } = stage;
  if (name === 'worker')
    return stage.allReady(
      ({ url, connectedAt }) => !url.includes(name) || Date.parse(connectedAt) >= movedAt,
      most,
    );
  if (name === 'postgres') {
    const { subscriptions } = await cluster.subscriptions();
    const next = subscriptions.length + 1;
    // The change feed announces it.
    await withPostgres(cluster.databaseUrl, (client) =>
      client.query(
        `insert into "Display" ("displayId", "cameraIdentifier", "playlistId", "updatedAt")
          select 'display-' || $1, 'camera-' || $1, id, now() from "Playlist"`,
        [String(next)],
      ),
    );
    await stage.allActive(next, most);
  }
  await until(
    signal,
    'health of every backend',
    async () => (await Promise.all(cluster.backends.map(isReady))).every(Boolean),
    most,
  );
  if (name === 'redis') await goesOn(history, signal);
}

const isReady = ({ url }: AppProcess): Promise<boolean> =>
  get(url, '/health/ready').then(
    () => true,
    () => false,
  );
