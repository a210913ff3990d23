import {
  copyPostgres,
  databaseAddress,
  startPostgres,
  TcpProxy,
  withPostgres,
  type PostgresService,
} from '@detector-cluster/dev-services';
import { get, request, type AppProcess } from '@detector-cluster/local-cluster';
import type { Figures, ScenarioContext } from '../scenario.js';
import type { ChaosStage } from '../support/chaos-stage.js';
import { backendThatIs, CAMERAS, deliverThrough, type Faulted } from '../support/deliver-through.js';
import { goesOn } from '../support/going-on.js';
import { LIMIT, until } from '../support/until.js';

/** From the way back to the present primary until a camera runs that only it has. Milliseconds. */
const MAX_BACK = { full: 8_000, short: 20_000 };
/** After this time without a command, what a master has believed has had its effect. Milliseconds. */
const QUIET = 1_000;
const FORMER = /timeline 1, and timeline 2 has been read/;

/** The servers of one database, and which of them answers the backends. */
interface Servers {
  readonly primary: PostgresService;
  readonly standby: PostgresService;
  /** A primary with older data on the same timeline. */
  readonly image: PostgresService;
  readonly lead: (to: PostgresService) => void;
}

interface Misled {
  /** Streams that have ended although their cameras are in the database of the present primary. */
  readonly stopped: number;
  /** Servers whose data a master took although they were behind. */
  readonly believed: readonly string[];
  /** The longest time until the cluster used the present primary again. Milliseconds. */
  readonly backAgainMs: number;
}

/**
 * A streaming standby of Postgres is promoted while the former primary continues. An old image, the standby before its promotion and the
 * former primary answer the backends in turn, and each lacks a camera that runs. After the promotion the master is killed as well.
 */
export async function postgresFailoverScenario(context: ScenarioContext): Promise<Figures> {
  const primary = await startPostgres();
  const started = [primary];
  let present = primary;
  const front = await TcpProxy.start({ targets: () => [{ port: present.port }] });
  const lead = (to: PostgresService) => {
    present = to;
    front.cutOnce();
  };
  let servers: Servers;
  try {
    return await deliverThrough(
      { ...context, databaseUrl: primary.url },
      {
        spareCameras: 3,
        prepare: async ({ cluster }) => {
          for (const as of ['standby', 'image'] as const) started.push(await copyPostgres(primary, as));
          const [, standby, image] = started as [PostgresService, PostgresService, PostgresService];
          servers = { primary, standby, image, lead };
          return { DATABASE_URL: front.through(cluster.databaseUrl).href };
        },
      },
      (faulted) => failOver(context, faulted, servers),
      ({ backAgainMs, believed, stopped }) =>
        believed.length + stopped === 0 && backAgainMs <= MAX_BACK[context.short ? 'short' : 'full'],
    );
  } finally {
    await front.stop();
    for (const server of started.toReversed()) await server.stop();
  }
}

async function failOver(
  context: ScenarioContext,
  faulted: Faulted,
  { image, lead, primary, standby }: Servers,
): Promise<Misled> {
  const { progress, signal } = context;
  const { stage, watch } = faulted;
  const believed: string[] = [];
  const gone = new Set<string>();
  let backAgainMs = 0;
  /** A server that is behind answers. */
  const mislead = async (
    name: string,
    server: PostgresService,
    reason: RegExp,
    down?: AppProcess,
  ): Promise<void> => {
    progress(`${name} answers`);
    const before = await stage.streams();
    lead(server);
    const running = stage.cluster.backends.filter((backend) => backend !== down);
    if (await isBelieved(context, faulted, running, reason)) {
      believed.push(name);
      await stage.commandsSettled(QUIET);
    }
    const after = await stage.streams();
    for (const stream of before) if (!after.has(stream)) gone.add(stream);
    progress(`${gone.size} streams have ended`);
  };
  const misled = () => ({ stopped: gone.size, believed, backAgainMs });
  /** The present primary answers. */
  const leadBack = async (server: PostgresService, cameras: number): Promise<void> => {
    progress('the present primary answers');
    const since = performance.now();
    lead(server);
    await add(faulted, server, cameras);
    await stage.allActive(cameras);
    backAgainMs = Math.max(backAgainMs, Math.round(performance.now() - since));
    progress(`${cameras} cameras run ${backAgainMs} ms after the primary answers`);
  };

  await query(stage, standby, 'select pg_wal_replay_pause()');
  // A primary in use has written more since then than the image when it starts.
  await query(stage, primary, 'select pg_switch_wal()');
  await add(faulted, primary, CAMERAS + 1);
  await request(stage.cluster.backends[0]!.url, 'POST', '/api/cluster/regenerate', {}, LIMIT);
  await stage.allActive(CAMERAS + 1);
  await mislead('the image', image, /the database is at /);
  if (believed.length > 0) return misled();
  await mislead('the standby', standby, /the database is a standby/);
  await query(stage, standby, 'select pg_wal_replay_resume()');
  await until(signal, 'the standby to have everything', async () => {
    const found = await query(
      stage,
      standby,
      `select from "Display" where "displayId" = 'display-${CAMERAS + 1}'`,
    );
    return found === 1;
  });
  await query(stage, standby, 'select pg_promote()');
  await leadBack(standby, CAMERAS + 2);

  // It has more in its log than the one that was promoted.
  await query(stage, primary, 'select pg_switch_wal()');
  await add(faulted, primary, CAMERAS + 3);
  await mislead('the former primary', primary, FORMER);
  const master = await backendThatIs('master', faulted, signal);
  await master.crash();
  await until(signal, 'another master', () => watch.master !== null && watch.master !== master);
  await mislead('the former primary, after a change of master,', primary, FORMER, master);
  await master.start();
  await leadBack(standby, CAMERAS + 3);
  await goesOn(stage.history, signal);
  return misled();
}

/** Whether a master takes what the database says. Otherwise health of every backend and a log give the reason. */
async function isBelieved(
  { signal }: ScenarioContext,
  { stage }: Faulted,
  running: readonly AppProcess[],
  reason: RegExp,
): Promise<boolean> {
  const outcome = await until(signal, `a refusal because of ${String(reason)}`, async () => {
    const isRead = await request(running[0]!.url, 'POST', '/api/cluster/regenerate', {}, LIMIT).then(
      () => true,
      () => false,
    );
    if (isRead) return 'believed';
    const said = await Promise.all(running.map(healthReason));
    const logs = await Promise.all(stage.cluster.backends.map((backend) => backend.log()));
    return said.every((text) => reason.test(text)) && logs.some((log) => reason.test(log)) && 'refused';
  });
  return outcome === 'believed';
}

async function healthReason({ url }: AppProcess): Promise<string> {
  const { checks } = await get<{ checks: { cluster: { reason?: string } } }>(url, '/health/ready');
  return checks.cluster.reason ?? '';
}

/** Shows a camera. Only the database knows. */
async function add({ stage }: Faulted, server: PostgresService, camera: number): Promise<void> {
  await query(
    stage,
    server,
    `insert into "Display" ("displayId", "cameraIdentifier", "playlistId", "updatedAt")
      select 'display-${camera}', 'camera-${camera}', id, now() from "Playlist"`,
  );
}

/** Returns the number of rows. */
async function query({ cluster }: ChaosStage, server: PostgresService, sql: string): Promise<number> {
  const name = new URL(cluster.databaseUrl).pathname.slice(1);
  const { rowCount } = await withPostgres(databaseAddress(server.url, name), (client) => client.query(sql));
  return rowCount ?? 0;
}
