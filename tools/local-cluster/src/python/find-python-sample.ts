import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type AppProcess, startApp } from '../app-process.js';

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

/** Folder of the sample. */
export const PYTHON_SAMPLE = fileURLToPath(
  new URL('../../../../samples/006-python-worker/', import.meta.url),
);

/** Programs on this machine that run the Python worker and its camera. */
export interface PythonPrograms {
  /** A Python with all that the worker and its tests import. */
  readonly worker: string;
  /** A Python with GStreamer's RTSP server. */
  readonly camera: string;
}

export type PythonSampleResult =
  | { readonly found: PythonPrograms }
  /** The missing programs, and the command that installs them, in one line. */
  | { readonly missing: string };

/** Includes the distribution's Python, because the first one in PATH may not have the distribution's modules. */
const PYTHONS = ['python3', '/usr/bin/python3'];
const WORKER = 'import cv2, jsonschema, numpy, psutil, websockets.legacy.server';
const CAMERA = `import gi
gi.require_version("Gst", "1.0"); gi.require_version("GstRtspServer", "1.0")
from gi.repository import Gst, GstRtspServer
Gst.init(None)
assert Gst.ElementFactory.find("rtph264pay") and Gst.ElementFactory.find("matroskademux")`;

/** Looks for what the sample with the worker in Python needs. */
export function findPythonSample(): PythonSampleResult {
  const worker = pythonWith(WORKER);
  const camera = pythonWith(CAMERA);
  const ffmpeg = succeeds('ffmpeg', ['-version']);
  if (worker && camera && ffmpeg) return { found: { worker, camera } };
  const missing = [
    ...(worker ? [] : ['a Python 3 with websockets, OpenCV, psutil and jsonschema']),
    ...(camera ? [] : ["a Python 3 with GStreamer's RTSP server"]),
    ...(ffmpeg ? [] : ['ffmpeg']),
  ];
  const packages = readFileSync(`${PYTHON_SAMPLE}debian-packages.txt`, 'utf8').trim().split('\n').join(' ');
  return {
    missing: `${missing.join(', ')} not found; on Debian: apt-get install --no-install-recommends ${packages}`,
  };
}

const pythonWith = (imports: string): string | undefined =>
  PYTHONS.find((python) => succeeds(python, ['-c', imports]));

const succeeds = (program: string, args: readonly string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore', timeout: 60_000 }).status === 0;
