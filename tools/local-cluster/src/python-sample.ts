import { freePort, runCommand, startProgram, type ServerProcess } from '@detector-cluster/dev-services';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AppProcess, startApp } from './app-process.js';

const SAMPLES = fileURLToPath(new URL('../../../samples/', import.meta.url));
const MOTION = '006-python-worker';
const PEOPLE = '008-people-counter';
/** OpenCV's pedestrians, from Debian's package opencv-doc. */
const PEDESTRIANS = '/usr/share/doc/opencv-doc/examples/data/vtest.avi';

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

/** Looks for what the samples with a worker in Python need. */
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
  return { missing: installing(missing, MOTION) };
}

/** The same, with the video of the people counter. */
export function findPeopleSample(): PythonSampleResult {
  if (!existsSync(PEDESTRIANS)) return { missing: installing([PEDESTRIANS], PEOPLE) };
  return findPythonSample();
}

function installing(missing: readonly string[], sample: string): string {
  const packages = readFileSync(join(SAMPLES, sample, 'debian-packages.txt'), 'utf8')
    .trim()
    .split('\n')
    .join(' ');
  return `${missing.join(', ')} not found; on Debian: apt-get install --no-install-recommends ${packages}`;
}

const pythonWith = (imports: string): string | undefined =>
  PYTHONS.find((python) => succeeds(python, ['-c', imports]));

const succeeds = (program: string, args: readonly string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore', timeout: 60_000 }).status === 0;

/** Starts the worker that detects motion, with additional environment variables. */
export function startPythonWorker(
  programs: PythonPrograms,
  env: Readonly<Record<string, string>> = {},
): Promise<AppProcess> {
  return startWorker(programs, MOTION, { WORKER_NAME: 'python-worker', ...env });
}

/** Starts a worker that finds people. */
export function startPeopleWorker(
  programs: PythonPrograms,
  env: Readonly<Record<string, string>> & { WORKER_NAME: string },
): Promise<AppProcess> {
  return startWorker(programs, PEOPLE, env);
}

function startWorker(
  { worker }: PythonPrograms,
  sample: string,
  env: Readonly<Record<string, string>> & { WORKER_NAME: string },
): Promise<AppProcess> {
  return startApp({
    name: env.WORKER_NAME,
    program: worker,
    script: `samples/${sample}/worker.py`,
    readyPath: '/health/live',
    env: { PYTHONDONTWRITEBYTECODE: '1', ...env },
  });
}

/** The file of a model for the people counter: one of the two detectors that OpenCV brings. */
export async function peopleModel(programs: PythonPrograms, kind: 'default' | 'daimler'): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'people-model-'));
  const file = join(folder, 'model.xml');
  try {
    await runCommand(programs.worker, [join(SAMPLES, PEOPLE, 'make_model.py'), kind, file], {
      timeout: 60_000,
    });
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const USER = 'viewer';

/** A camera. After a crash, current viewers are disconnected, and new ones are refused. */
export interface RtspCamera extends ServerProcess {
  /** Address with user and password. */
  readonly url: string;
  readonly password: string;
  /** How many viewers have connected so far. */
  viewers(): Promise<number>;
}

/** Shows a white square that moves over a grid; see `make_video.sh` of the sample. */
export function startRtspCamera(programs: PythonPrograms): Promise<RtspCamera> {
  return startCamera(programs, join(SAMPLES, MOTION, 'camera/make_video.sh'));
}

/** Shows pedestrians. */
export function startPeopleCamera(programs: PythonPrograms): Promise<RtspCamera> {
  return startCamera(programs, join(SAMPLES, PEOPLE, 'make_video.sh'));
}

async function startCamera({ camera }: PythonPrograms, makeVideo: string): Promise<RtspCamera> {
  const port = await freePort();
  const password = 'camera-s3cret/p@ss';
  const server = await startProgram({
    name: 'rtsp-camera',
    async command(folder) {
      const video = join(folder, 'video.mkv');
      await runCommand('sh', [makeVideo, video], { timeout: 120_000 });
      return [
        camera,
        join(SAMPLES, MOTION, 'camera/rtsp_camera.py'),
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
