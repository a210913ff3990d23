import { startApp } from '@detector-cluster/local-cluster';
import { applyMigrations } from '@detector-cluster/migrate';
import type { Sample } from '../sample.js';
import type { Line, SampleStage } from '../stage/sample-stage.js';

/** Whether a line reports a detection for a display. */
const sees =
  (display: string) =>
  ({ text }: Line): boolean =>
    text.startsWith(`${display};`);

const answer = /^answers at (\S+)$/;

/** A worker and two replicas. After a write to one replica, the replica that is connected to the worker is killed. */
export const detectorCluster: Sample = {
  folder: '004-detector-cluster',
  postgres: true,
  async play(stage) {
    const { databaseUrl } = stage;
    await applyMigrations(databaseUrl, stage.path('prisma/migrations'));
    const workerUrl = await startWorker(stage);
    const env = { DETECTOR_WORKERS: workerUrl, PORT: '0' };
    const first = await stage.start(env);
    await ready(stage, first.name);
    const second = await stage.start(env);
    const { text } = await ready(stage, second.name);

    stage.say(`PUT /displays/entrance at ${second.name}`);
    const writtenAt = performance.now();
    await put(`${answer.exec(text)![1]!}/displays/entrance`);
    const { at } = await stage.hears('a detection of the entrance', sees('entrance'));

    stage.say(`kill -9 ${first.name}`);
    const beforeKill = stage.lines.length;
    const killedAt = performance.now();
    await first.crash();
    const next = await stage.hears('a detection in the other replica', sees('entrance'), beforeKill);

    stage.say(`PUT /displays/exit at ${second.name}`);
    const writtenAgainAt = performance.now();
    await put(`${answer.exec(text)![1]!}/displays/exit`);
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

/** The reference worker, as a process. Resolves with its address for the cluster. */
async function startWorker(stage: SampleStage): Promise<string> {
  const worker = await startApp({
    name: 'worker',
    script: 'apps/detector-worker/dist/main.js',
    readyPath: '/health/live',
    env: { DETECTIONS_PER_SECOND: '1' },
  });
  stage.atEnd(() => worker.stop());
  return `ws://127.0.0.1:${worker.port}`;
}

const ready = (stage: SampleStage, name: string): Promise<Line> =>
  stage.hears(`${name} answers`, ({ replica, text }) => replica.name === name && answer.test(text));

async function put(url: string): Promise<void> {
  const response = await fetch(url, { method: 'PUT' });
  if (!response.ok) throw new Error(`PUT ${url} was answered ${response.status}: ${await response.text()}`);
}
