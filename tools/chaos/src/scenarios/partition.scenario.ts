import type { Figures, ScenarioContext } from '../scenario.js';
import { ChaosStage } from '../support/chaos-stage.js';
import { LIMIT, until } from '../support/until.js';

const BACKENDS = 2;
const WORKERS = 10;
const CAMERAS = 40;
const SHARE = 0.6;
/** How long to observe after the workers are back, because a delayed move would come then. Milliseconds. */
const AFTERMATH = 10_000;

/**
 * 60 % of the workers vanish from the network and come back. A subscription has moved if it is seen on another worker than
 * before: in the master's state at any time, or at the workers themselves in the end.
 */
export async function partitionScenario(context: ScenarioContext): Promise<Figures> {
  const hosts = [{ name: 'workers', workers: WORKERS }];
  return ChaosStage.with(context, { backends: BACKENDS, cameras: CAMERAS, hosts }, async (stage) => {
    const { signal, random, progress, vanishMs, short } = context;
    const before = await held(stage);
    const commands = await stage.commandsTaken();
    const moved = new Set<string>();
    const watch = async (duration: number) => {
      const end = performance.now() + duration;
      const look = async () => {
        for (const [id, url] of await stage.placements()) if (before.get(id) !== url) moved.add(id);
        return performance.now() >= end;
      };
      await until(signal, 'the time to pass', look, duration + LIMIT);
    };

    const links = [...stage.links];
    const lost = Array.from(
      { length: Math.round(SHARE * WORKERS) },
      () => links.splice(random.between(0, links.length), 1)[0]!,
    );
    progress(`${lost.length} of ${WORKERS} workers vanish for ${vanishMs} ms`);
    for (const link of lost) link.vanish();
    const vanishedAt = Date.now();
    await watch(vanishMs);
    const { workers } = await stage.cluster.state();
    const missed = workers.filter(({ state }) => state === 'Offline').length;
    for (const link of lost) link.reappear();
    progress(`${missed} workers were offline; they are back, ${moved.size} subscriptions have moved`);
    await stage.allReady(({ lastHeartbeat }) => Date.parse(lastHeartbeat) > vanishedAt + vanishMs);
    await stage.allActive(CAMERAS);
    await watch(short ? AFTERMATH / 5 : AFTERMATH);
    const after = await held(stage);
    for (const [id, url] of before) if (after.get(id) !== url) moved.add(id);
    return {
      // A master takes subscriptions only from an offline worker. Before that, nothing has been tested.
      ok: moved.size === 0 && missed === lost.length,
      moves: moved.size,
      workers: WORKERS,
      vanished: lost.length,
      missed,
      vanishMs,
      workerCommands: (await stage.commandsTaken()) - commands,
    };
  });
}

/** Subscription → the worker or workers that run it, as reported by the workers themselves. */
async function held(stage: ChaosStage): Promise<Map<string, string>> {
  const places = new Map<string, string>();
  for (const link of stage.links)
    for (const { subscriptions } of (await link.stats()).streams)
      for (const { subscriptionIdentifier: id } of subscriptions)
        places.set(id, places.has(id) ? `${places.get(id)} ${link.url}` : link.url);
  return places;
}
