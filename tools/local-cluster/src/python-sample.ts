import { freePort, runCommand, startProgram, type ServerProcess } from '@detector-cluster/dev-services';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AppProcess, startApp } from './app-process.js';

/** Folder of the sample. */
const PYTHON_SAMPLE = fileURLToPath(new URL('../../../samples/006-python-worker/', import.meta.url));

/** Programs on this machine that run the Python worker and its camera. */
export interface PythonPrograms {
  /** A Python with all that the worker and its tests import. */
  readonly worker: string;
  /** A Python with GStreamer's RTSP server. */
  readonly camera: string;
}

type PythonSampleResult =
  | { readonly found: PythonPrograms }
  /** The missing programs, and the command that installs them, in one line. */
  | { readonly missing: string };

/** Includes the distribution's Python, because the first one in PATH may not have the distribution's modules. */
const PYTHONS = ['python3', '/usr/bin/python3'];
const WORKER = 'import cv2, jsonschema, numpy, websockets.legacy.server';
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
    ...(worker ? [] : ['a Python 3 with websockets, OpenCV and jsonschema']),
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

const USER = 'viewer';

/**
 * A camera that shows a white square moving over a grid; see `make_video.sh` of the sample. After a crash, current viewers are
 * disconnected, and new ones are refused.
 */
export interface RtspCamera extends ServerProcess {
  /** Address with user and password. */
  readonly url: string;
  readonly password: string;
  /** How many viewers have connected so far. */
  viewers(): Promise<number>;
}

export async function startRtspCamera({ camera }: PythonPrograms): Promise<RtspCamera> {
  const port = await freePort();
  const password = 'camera-s3cret/p@ss';
  const server = await startProgram({
    name: 'rtsp-camera',
    async command(folder) {
      const video = join(folder, 'video.mkv');
      await runCommand('sh', [join(PYTHON_SAMPLE, 'camera/make_video.sh'), video], { timeout: 120_000 });
      return [
        camera,
        join(PYTHON_SAMPLE, 'camera/rtsp_camera.py'),
        `--port=${port}`,
        `--user=${USER}`,
        `--password=${password}`,
        video,
      ];
    },
    ready: () => takesConnections(port),
    stopSignal: 'TERM',
  });
  return Object.assign(server, {
    url: `rtsp://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/main`,
    password,
    viewers: async () => (await server.log()).split('"playing"').length - 1,
  });
}

async function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
