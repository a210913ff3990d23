import { AcceptanceMonitor } from '@detector-cluster/local-cluster';
import type { ScenarioContext, Figures } from '../scenario.js';
import { Stage } from '../support/stage.js';
import { pause, until } from '../support/until.js';
import { describeLeftovers } from './describe-leftovers.js';
import { Faults } from './faults.js';
import { Journal, JOURNALLED_BACKEND } from '../journal/journal.js';
import { judge } from './verdict.js';

const WORKERS = 3;
const BACKENDS = 3;
const CAMERAS = 30;
const PER_SECOND = 2_000;
/** As many duplicates as one fault may make: the entries that a process has under way. */
const PER_FAULT = 64;
/** Longer than the detection of a dead process, its backlog's way to another one and an open retry take together. */
const PATIENCE = 30_000;

/**
 * Detections while backends are killed, sockets to workers reset and connections to Redis dropped. Accepted is what Redis was
 * given, watched at the server; delivered is what callbacks wrote into a journal, one system call each.
 */
export async function deliveryScenario(context: ScenarioContext): Promise<Figures> {
  const target = context.short ? { detections: 10_000, kills: 2 } : { detections: 100_000, kills: 10 };
  const journal = await Journal.create();
  try {
    return await Stage.with(
      context,
      {
        backends: BACKENDS,
        cameras: CAMERAS,
        ownRedis: true,
        hosts: [
          {
            name: 'workers',
            workers: WORKERS,
            env: { DETECTIONS_PER_SECOND: String(Math.round(PER_SECOND / CAMERAS)) },
          },
        ],
        backendScript: JOURNALLED_BACKEND,
        backendEnv: { JOURNAL: journal.path },
      },
      (stage) => run(context, stage, journal, target),
    );
  } finally {
    await journal.close();
  }
}

async function run(
  { random, signal, progress }: ScenarioContext,
  stage: Stage,
  journal: Journal,
  target: { readonly detections: number; readonly kills: number },
): Promise<Figures> {
  const { cluster, hosts } = stage;
  const monitor = new AcceptanceMonitor(cluster.redis.url, cluster.keyPrefix);
  const faults = new Faults(stage, random);
  try {
    await monitor.start();
    // By then everything is delivered that was accepted before somebody watched.
    await pause(1_000, signal);
    await journal.read();
    const watchedFrom = journal.deliveries.length;
    faults.start();
    for (let said = 0; monitor.accepted.size < target.detections || faults.kills < target.kills;) {
      await pause(200, signal);
      faults.check();
      if (monitor.accepted.size - said < target.detections / 10) continue;
      said = monitor.accepted.size;
      progress(`${said} accepted, ${faults.kills} kills, ${faults.cuts} cuts`);
    }
    await hosts[0]!.process.crash();
    await faults.stop();
    progress('no more detections and faults; waiting for what is under way');
    const verdict = () => judge(monitor.accepted, journal.deliveries, watchedFrom);
    for (let before = -1; before !== journal.deliveries.length && verdict().lost > 0;) {
      before = journal.deliveries.length;
      await until(signal, 'more deliveries', PATIENCE, async () => {
        await journal.read();
        return journal.deliveries.length > before ? true : null;
      }).catch(() => signal.throwIfAborted());
    }
    if (verdict().lost > 0) progress(await describeLeftovers(stage).catch(String));
    const { lost, duplicates, outOfOrder, unaccounted, deliveries } = verdict();
    const { kills, cuts } = faults;
    return {
      ok: lost === 0 && outOfOrder === 0 && unaccounted === 0 && duplicates <= PER_FAULT * (kills + cuts),
      lost,
      duplicates,
      duplicateShare: Math.round((duplicates / deliveries) * 1e6) / 1e6,
      outOfOrder,
      unaccounted,
      accepted: monitor.accepted.size,
      kills,
      cuts,
    };
  } finally {
    await faults.stop().catch(() => undefined);
    monitor.stop();
  }
}
