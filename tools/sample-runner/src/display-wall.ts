import { TcpProxy } from '@detector-cluster/dev-services';
import type { Sample } from './samples.js';
import type { Replica, SampleStage } from './sample-stage.js';
import { WallScreen } from './wall-screen.js';

const SOME = 4;

/** Three replicas behind a load balancer. A display is opened twice. Then the replica of a display, and the master, are killed. */
export const displayWall: Sample = {
  folder: '007-display-wall',
  postgres: false,
  async play(stage) {
    const { url, replicas, addReplica } = await startReplicas(stage);
    const open = (display: string, page: string): WallScreen => {
      const screen = new WallScreen({ url, display, page, print: (line) => stage.say(line) });
      stage.atEnd(async () => screen.close());
      return screen;
    };
    const more = async (...screens: WallScreen[]): Promise<void> => {
      const before = screens.map(({ shown }) => shown.size);
      await stage.until('more detections on the screens', () =>
        screens.every(({ shown }, index) => shown.size >= before[index]! + SOME),
      );
    };
    stage.say(`the wall is at ${url}`);
    const first = open('entrance', 'first');
    const garage = open('garage', 'garage');
    await more(first, garage);

    stage.say('opens the entrance on another screen');
    const entrance = open('entrance', 'second');
    await stage.until('the first screen is replaced', () => first.replaced);
    const shownByFirst = first.shown.size;
    await more(entrance);

    const holder = replicas.get(garage.replica)!;
    stage.say(`kill -9 ${holder.name}, to which the garage is connected`);
    const killedAt = performance.now();
    await holder.crash();
    await stage.until('another connection', () => ![holder.name, ''].includes(garage.replica));
    const killToConnectedMs = Math.round(performance.now() - killedAt);
    await more(entrance, garage);
    await addReplica();

    const master = await liveMaster(stage, holder);
    stage.say(`kill -9 ${master.name}, which is master`);
    const masterKilledAt = performance.now();
    await master.crash();
    await more(entrance, garage);
    const masterKillToDetectionsMs = Math.round(performance.now() - masterKilledAt);

    const recorded = await recordedFor(stage, ['entrance', 'garage']);
    await stage.until('every recorded detection on a screen', () =>
      recorded.every((id) => entrance.shown.has(id) || garage.shown.has(id)),
    );
    return {
      ok:
        shownByFirst === first.shown.size && !entrance.cameras.has('ramp') && !garage.cameras.has('driveway'),
      recorded: recorded.length,
      shown: entrance.shown.size + garage.shown.size,
      killToConnectedMs,
      masterKillToDetectionsMs,
    };
  },
};

async function startReplicas(stage: SampleStage) {
  const DETECTOR_WORKERS = await stage.startWorker({ DETECTIONS_PER_SECOND: '1' });
  const replicas = new Map<string, Replica>();
  const targets: { port: number }[] = [];
  const addReplica = async (): Promise<void> => {
    const replica = await stage.start({ DETECTOR_WORKERS, PORT: '0' });
    replicas.set(replica.name, replica);
    targets.push({ port: Number(new URL(await stage.addressOf(replica)).port) });
  };
  await Promise.all([addReplica(), addReplica(), addReplica()]);
  const balancer = await TcpProxy.start({
    targets: () => {
      // Round robin. Ports of dead replicas refuse the connection.
      targets.push(targets.shift()!);
      return [...targets];
    },
  });
  stage.atEnd(() => balancer.stop());
  return { url: balancer.url, replicas, addReplica };
}

/** The latest master, if it is not the replica that was killed. */
function liveMaster(stage: SampleStage, killed: Replica): Promise<Replica> {
  return stage.until('a master', () => {
    const master = stage.lines.findLast(({ text }) => text === 'is master')?.replica;
    return master !== killed && master;
  });
}

/** Ids of the detections in the logs of the displays. */
async function recordedFor({ redis }: SampleStage, displays: readonly string[]): Promise<string[]> {
  const logs = await Promise.all(
    displays.map((display) => redis.xrange(`sample-007:log:${display}`, '-', '+')),
  );
  const ids = logs.flat().map(([, [, text]]) => (JSON.parse(text!) as { detectionId: string }).detectionId);
  return [...new Set(ids)];
}
