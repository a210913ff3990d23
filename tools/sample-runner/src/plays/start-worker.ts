import { startApp } from '@detector-cluster/local-cluster';
import type { SampleStage } from '../stage/sample-stage.js';

/** The reference worker, as a process that ends with the stage. Resolves with its address for the cluster. */
export async function startWorker(
  stage: SampleStage,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const worker = await startApp({
    name: 'worker',
    script: 'apps/detector-worker/dist/main.js',
    readyPath: '/health/live',
    env,
  });
  stage.atEnd(() => worker.stop());
  return `ws://127.0.0.1:${worker.port}`;
}
