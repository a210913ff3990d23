import { type AppProcess, getAll, type LocalCluster } from '@detector-cluster/local-cluster';
import { checkHistory } from '@detector-cluster/history';
import type { Figures, ScenarioContext } from '../scenario.js';
import { buildOf } from '../support/build-of.js';
import { ChaosStage, JOURNALLED_BACKEND } from '../support/chaos-stage.js';
import { ChosenBuilds } from '../support/chosen-builds.js';
import { PROMISES } from '../support/deliver-through.js';
import { endSending } from '../support/end-sending.js';
import { goesOn, untilDelivered } from '../support/going-on.js';
import { MasterWatch } from '../support/master-watch.js';
import { until } from '../support/until.js';

const BACKENDS = { full: 3, short: 2 };
const WORKERS = 2;
const CAMERAS = 20;
const PER_SECOND = 500;

/** In the log of a process that has not understood what another one has written. */
const MISREAD = /cannot be read|another program/g;

/**
 * Replaces the backends one by one by those of another build, the master last, and then by those of the first one again, while detections
 * flow. The builds are that of `from` and the present one.
 */
export async function rollingScenario(context: ScenarioContext): Promise<Figures> {
  const { backendScript: later = JOURNALLED_BACKEND, from, progress, short } = context;
  const earlier = from === undefined ? JOURNALLED_BACKEND : await buildOf(from, progress);
  const builds = await ChosenBuilds.create();
  const options = {
    backends: BACKENDS[short ? 'short' : 'full'],
    cameras: CAMERAS,
    hosts: [
      { name: 'workers', workers: WORKERS, env: { DETECTIONS_PER_SECOND: String(PER_SECOND / CAMERAS) } },
    ],
    journal: true,
    // Nothing is refused for longer than a hand-over takes on a busy machine.
    promised: { acceptance: 'masters', promises: [...PROMISES, 'lostSent', 'maxRefusedMs'] } as const,
    backendEnv: { ...builds.env, JOURNAL_ACCEPTED: 'on' },
  };
  try {
    for (let i = 1; i <= options.backends; i++) await builds.choose(`backend-${i}`, earlier);
    return await ChaosStage.with({ ...context, backendScript: builds.script }, options, (stage) =>
      roll(context, stage, builds, [later, earlier]),
    );
  } finally {
    await builds.close();
  }
}

async function roll(
  { progress, signal }: ScenarioContext,
  stage: ChaosStage,
  builds: ChosenBuilds,
  order: readonly string[],
): Promise<Figures> {
  const { cluster, history } = stage;
  const watch = new MasterWatch(cluster.backends, history);
  const isMisread = async () => (await countMisread(cluster)) > 0;
  try {
    await goesOn(history, signal);
    const from = Date.now();
    let replaced = 0;
    for (const script of order) {
      const left = new Set(cluster.backends);
      while (left.size > 0 && !(await isMisread())) {
        const master = await until(signal, 'one master', () => watch.master);
        const next = [...left].find((backend) => backend !== master) ?? master;
        left.delete(next);
        progress(`${next.name}${next === master ? ', the master,' : ''} becomes ${script}`);
        await replace(next, builds, script, signal);
        replaced++;
        await goesOn(history, signal, isMisread);
      }
    }
    history.write({ sending: { from, to: Date.now() } });
    history.write((await endSending(stage, CAMERAS, signal)).map((sent) => ({ sent })));
    await stage.hosts[0]!.process.crash();
    const left = () => {
      const { lost, lostSent } = checkHistory(history).figures;
      return { lost: lost + lostSent };
    };
    await untilDelivered(history, left, signal, () => stage.pending());
    await watch.end();
    const misread = await countMisread(cluster);
    const { lost, lostSent, maxRefusedMs, outOfOrder, rivals = 0 } = stage.conclude().figures;
    return {
      ok: misread === 0,
      lost,
      lostSent,
      outOfOrder,
      misread,
      rivals,
      maxRefusedMs,
      changes: watch.claims.changes,
      replaced,
      delivered: new Set(history.deliveries.map(({ detectionId }) => detectionId)).size,
    };
  } finally {
    await watch.end();
  }
}

/** Ends a backend as operators do, and starts one of another build in its place. Resolves when it is ready. */
async function replace(
  backend: AppProcess,
  builds: ChosenBuilds,
  script: string,
  signal: AbortSignal,
): Promise<void> {
  await backend.shutdown();
  await builds.choose(backend.name, script);
  await backend.start();
  await until(signal, `${backend.name} to be ready`, async () => {
    const answer = await fetch(`${backend.url}/health/ready`).catch(() => null);
    return answer?.ok === true;
  });
}

/** How often a process has not understood what another one had written. */
async function countMisread(cluster: LocalCluster): Promise<number> {
  const logs = await Promise.all(cluster.backends.map((backend) => backend.log()));
  const letters = await cluster.ask((url) => getAll(url, '/api/cluster/dead-letters'));
  return letters.length + logs.reduce((sum, log) => sum + [...log.matchAll(MISREAD)].length, 0);
}
