import { startApp, type AppProcess } from '../app-process.js';
import type { PythonPrograms } from './find-python-sample.js';

/** Starts the worker in Python, with variables of its own environment. */
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
