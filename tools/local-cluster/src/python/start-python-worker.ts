import { startApp, type AppProcess } from '../app-process.js';
import type { PythonPrograms } from './find-python-sample.js';

/** Starts the Python worker with additional environment variables. */
export function startPythonWorker(
  programs: PythonPrograms,
  env: Readonly<Record<string, string>> = {},
): Promise<AppProcess> {
  return startApp({
    name: 'python-worker',
    program: programs.worker,
    script: 'samples/006-python-worker/worker.py',
    readyPath: '/health/live',
    env: { WORKER_NAME: 'python-worker', PYTHONDONTWRITEBYTECODE: '1', ...env },
  });
}
