import { freePort, startProgram, type ServerProcess } from '@detector-cluster/dev-services';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PYTHON_SAMPLE, type PythonPrograms } from './find-python-sample.js';

const run = promisify(execFile);
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
