import { applyMigrations } from '@detector-cluster/migrate';
import type { Sample } from './samples.js';
import type { Line } from './sample-stage.js';

/** Whether a line reports a detection for a display. */
const sees =
  (display: string) =>
  ({ text }: Line): boolean =>
    text.startsWith(`${display};`);

/** A worker and two replicas. After a write to one replica, the replica that is connected to the worker is killed. */
export const detectorCluster: Sample = {
  folder: '004-detector-cluster',
  postgres: true,
  async play(stage) {
    const { databaseUrl } = stage;
    await applyMigrations(databaseUrl, stage.path('prisma/migrations'));
    const workerUrl = await stage.startWorker({ DETECTIONS_PER_SECOND: '1' });
    const env = { DETECTOR_WORKERS: workerUrl, PORT: '0' };
    const first = await stage.start(env);
    await stage.addressOf(first);
    const second = await stage.start(env);
    const url = await stage.addressOf(second);

    stage.say(`PUT /displays/entrance at ${second.name}`);
    const writtenAt = performance.now();
    await put(`${url}/displays/entrance`);
    const { at } = await stage.hears('a detection of the entrance', sees('entrance'));

    stage.say(`kill -9 ${first.name}`);
    const beforeKill = stage.lines.length;
    const killedAt = performance.now();
    await first.crash();
    const next = await stage.hears(
      'a detection in the other replica',
      // The first may have reported one more before its end.
      (line) => line.replica !== first && sees('entrance')(line),
      beforeKill,
    );

    stage.say(`PUT /displays/exit at ${second.name}`);
    const writtenAgainAt = performance.now();
    await put(`${url}/displays/exit`);
    const last = await stage.hears('a detection of the exit', sees('exit'));
    return {
      ok: next.replica === second,
      detections: stage.lines.filter((line) => sees('entrance')(line) || sees('exit')(line)).length,
      writeToDetectionMs: Math.round(at - writtenAt),
      killToDetectionMs: Math.round(next.at - killedAt),
      // The master has just read everything and would not do so again for 30 s, so the change must come from the trigger.
      nextWriteToDetectionMs: Math.round(last.at - writtenAgainAt),
    };
  },
};

async function put(url: string): Promise<void> {
  const response = await fetch(url, { method: 'PUT' });
  if (!response.ok) throw new Error(`PUT ${url} was answered ${response.status}: ${await response.text()}`);
}
