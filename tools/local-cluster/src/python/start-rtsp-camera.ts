import { freePort, startProgram } from '@detector-cluster/dev-services';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PYTHON_SAMPLE, type PythonPrograms } from './find-python-sample.js';

const run = promisify(execFile);
const USER = 'viewer';

/** A camera that shows a white square moving over a grid; see `make_video.sh` of the sample. */
export interface RtspCamera {
  /** Address with user and password. */
  readonly url: string;
  readonly password: string;
  /** How many viewers have connected so far. */
  viewers(): Promise<number>;
  /** SIGKILL: current viewers are disconnected, and new ones are refused. */
  crash(): Promise<void>;
  /** Starts it again after a crash, under the same address. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRtspCamera({ camera }: PythonPrograms): Promise<RtspCamera> {
  const port = await freePort();
  const password = 'camera-s3cret/p@ss';
  const { server, directory } = await startProgram({
    name: 'rtsp-camera',
    async command(folder) {
      const video = join(folder, 'video.mkv');
      await run('sh', [join(PYTHON_SAMPLE, 'camera/make_video.sh'), video], { timeout: 120_000 });
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
    timeout: 3_000,
  });
  return {
    url: `rtsp://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/main`,
    password,
    viewers: async () => (await readFile(join(directory, 'log'), 'utf8')).split('"playing"').length - 1,
    crash: () => server.crash(),
    start: () => server.start(),
    stop: () => server.stop(),
  };
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
