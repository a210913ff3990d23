import { request, type AppProcess } from '@detector-cluster/local-cluster';
import type { Figures, ScenarioContext } from '../scenario.js';
import { ChaosStage } from '../support/chaos-stage.js';
import type { WorkerLink } from '../support/worker-link.js';
import { LIMIT, pause, until } from '../support/until.js';

const BACKENDS = 3;
const CAMERAS = 12;
/** Displays that each round adds; it also removes as many. */
const CHANGES = 4;
/** Milliseconds. */
const REPORT_INTERVAL = 3_000;
/** No subscribe or unsubscribe command is shorter on the wire. */
const MIN_COMMAND = 100;

interface Round {
  /** Commands of the replaced master that the fencing worker carried out. */
  readonly stale: number;
  /** Commands of the replaced master that reached the fencing worker. */
  readonly refused: number;
  /** Commands of the replaced master that the legacy worker carried out, because it does not know terms. */
  readonly staleLegacy: number;
  /** Time until the legacy worker again ran the desired subscriptions. */
  readonly undoneMs: number;
}

/**
 * Replaces a master that is frozen while its commands are in flight, and lets them arrive after those of its successor: at a
 * worker that knows terms, and at one that does not.
 */
export async function fenceScenario(context: ScenarioContext): Promise<Figures> {
  const env = { STATE_REPORT_INTERVAL: String(REPORT_INTERVAL), DETECTIONS_PER_SECOND: '1' };
  const hosts = [
    { name: 'fencing', workers: 1, env: { ...env, FENCING: 'on' } },
    { name: 'legacy', workers: 1, env: { ...env, FENCING: 'off' } },
  ];
  const options = { backends: BACKENDS, cameras: CAMERAS, spareCameras: CHANGES, hosts };
  return ChaosStage.with(context, options, async (stage) => {
    const rounds: Round[] = [];
    const count = context.short ? 2 : 20;
    while (rounds.length < count) {
      rounds.push(await freeze(context, stage, rounds.length));
      context.progress(`round ${rounds.length} of ${count}: ${JSON.stringify(rounds.at(-1))}`);
    }
    const sum = (figure: keyof Round) => rounds.reduce((total, round) => total + round[figure], 0);
    const maxUndoneMs = Math.max(...rounds.map(({ undoneMs }) => undoneMs));
    return {
      // The effect must be undone before the report after next. Without a stale command, the run shows nothing.
      ok:
        sum('stale') === 0 &&
        maxUndoneMs < 2 * REPORT_INTERVAL &&
        sum('refused') > 0 &&
        sum('staleLegacy') > 0,
      staleCommands: sum('stale'),
      staleCommandsLegacy: sum('staleLegacy'),
      refusedCommands: sum('refused'),
      maxUndoneMs: Math.round(maxUndoneMs),
      reportInterval: REPORT_INTERVAL,
      rounds: count,
    };
  });
}

async function freeze({ signal, random }: ScenarioContext, stage: ChaosStage, round: number): Promise<Round> {
  const { cluster, links } = stage;
  const [fencing, legacy] = links as [WorkerLink, WorkerLink];
  const master = await until(signal, 'one master', () => cluster.master());
  const follower = random.pick(cluster.backends.filter((backend) => backend !== master));
  const removed = Array.from({ length: CHANGES }, (_, i) => 1 + ((round * CHANGES + i) % CAMERAS));
  const added = Array.from({ length: CHANGES }, (_, i) => CAMERAS + 1 + i);

  for (const link of links) link.holdBack();
  await Promise.all([
    ...added.map((n) => add(signal, follower, n)),
    ...removed.map((n) => remove(signal, follower, n)),
  ]);
  await until(
    signal,
    'commands on their way',
    () => links.every(({ heldBytes }) => heldBytes > 0) && heldBytes(links) > 2 * CHANGES * MIN_COMMAND,
  );
  await pause(random.between(0, 200), signal);
  master.pause();
  try {
    await Promise.all([
      ...added.map((n) => remove(signal, follower, n)),
      ...removed.map((n) => add(signal, follower, n)),
    ]);
    await until(signal, 'a new master', () => cluster.master());
    await stage.allActive(CAMERAS);
    await stage.allReady();
    // After the new master has no more commands, later ones must come from the replaced one.
    await stage.commandsSettled(1_000);

    const before = await Promise.all([fencing, legacy].map((link) => link.stats()));
    const taken = await stage.commandsTaken([fencing]);
    for (const link of links) link.reappear();
    const released = performance.now();
    master.resume();
    await until(
      signal,
      'stale commands to arrive',
      async () => (await legacy.stats()).staleCommands > before[1]!.staleCommands,
    );
    await until(signal, 'the legacy worker to run what it should', () => runsItsOwn(stage, legacy));
    const undoneMs = performance.now() - released;
    await stage.allActive(CAMERAS);
    const after = await Promise.all([fencing, legacy].map((link) => link.stats()));
    return {
      stale: (await stage.commandsTaken([fencing])) - taken,
      refused: after[0]!.refusedCommands - before[0]!.refusedCommands,
      staleLegacy: after[1]!.staleCommands - before[1]!.staleCommands,
      undoneMs,
    };
  } finally {
    master.resume();
  }
}

const heldBytes = (links: readonly WorkerLink[]): number =>
  links.reduce((sum, link) => sum + link.heldBytes, 0);

/** Whether the worker runs exactly what the master has assigned to it. */
async function runsItsOwn(stage: ChaosStage, link: WorkerLink): Promise<boolean> {
  const [placements, { streams }] = await Promise.all([stage.placements(), link.stats()]);
  const runs = streams.flatMap(({ subscriptions }) =>
    subscriptions.map((each) => each.subscriptionIdentifier),
  );
  const should = [...placements].flatMap(([id, url]) => (url === link.url ? [id] : []));
  return runs.sort().join() === should.sort().join();
}

function add(signal: AbortSignal, backend: AppProcess, n: number): Promise<unknown> {
  const display = { displayId: `display-${n}`, cameraIdentifier: `camera-${n}`, playlistId: 1 };
  return change(signal, backend, 'POST', 'displays', display);
}

function remove(signal: AbortSignal, backend: AppProcess, n: number): Promise<unknown> {
  return change(signal, backend, 'DELETE', `displays/display-${n}`);
}

/** Repeats it while the backend has no time for the transaction, as on a busy machine. Nothing has changed then. */
function change(signal: AbortSignal, { url }: AppProcess, method: string, path: string, body?: object) {
  return until(signal, `${method} ${path}`, () =>
    request(url, method, `/api/${path}`, body, LIMIT).then(
      () => true,
      (error: Error) => {
        if (!error.message.includes(': 503 ')) throw error;
        return null;
      },
    ),
  );
}
