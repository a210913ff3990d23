import {
  type AppProcess,
  findPythonSample,
  type PythonPrograms,
  startApp,
  startPythonWorker,
  startRtspCamera,
  WORKER_SCRIPT,
} from '@detector-cluster/local-cluster';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { TIMEOUT } from './support/cluster.js';

// Streams must outlive the last connection for 15 s, and bounds of the checks are generous.
vi.setConfig({ testTimeout: 15 * TIMEOUT, hookTimeout: TIMEOUT });

const PROGRAM = fileURLToPath(
  new URL('../../apps/worker-conformance/bin/worker-conformance.mjs', import.meta.url),
);

interface Line {
  readonly id: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly reason?: string;
}

/** Runs the program. Its checks that have not passed, and its exit code. */
async function tryWorker(...args: readonly string[]) {
  const { code, stdout, stderr } = await run(...args, '--json');
  const lines = stdout.trim().split('\n');
  const results = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Line);
  const of = (wanted: Line['outcome']) => results.filter(({ outcome }) => outcome === wanted);
  return {
    code,
    failed: of('failed').map(({ id, reason }) => `${id}: ${reason}`),
    skipped: of('skipped').map(({ id }) => id),
    passed: of('passed').length,
    stderr,
  };
}

const run = (...args: readonly string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, [PROGRAM, ...args], (_error, stdout, stderr) =>
      resolve({ code: child.exitCode!, stdout, stderr }),
    );
  });

/** File of a process's output in its directory. */
const LOG = 'log';

const TOKEN = 't0ken-of-the-worker';

/** Tries a worker, which then ends. Its processes cannot be left to hooks, because several tests run at once. */
async function tryWhole(starting: Promise<AppProcess>, version: 'v1' | 'v2', ...args: readonly string[]) {
  const worker = await starting;
  try {
    const url = `ws://127.0.0.1:${worker.port}#${version}`;
    const log = join(worker.directory, LOG);
    return await tryWorker(url, '--log', log, '--pid', String(worker.pid), ...args);
  } finally {
    await worker.stop();
  }
}

/** To open a stream over RTSP takes seconds, so only these run with such a camera. */
const STREAM_CHECKS = [
  'subscribe-again',
  'subscribe-other-url',
  'one-stream-per-camera',
  'camera-lost',
  'boxes-with-crop',
];

const startPython = (programs: PythonPrograms, folder: string) =>
  startPythonWorker(programs, { WORKER_TOKEN: TOKEN, MODEL_FOLDER: folder });

// Most of the time they wait.
describe.concurrent('worker-conformance', () => {
  it.each([
    ['v1', ['list-replaces', 'list-without-payload', 'list-unknown-fields']],
    ['v2', ['unsubscribe', 'unsubscribe-unknown']],
  ] as const)('finds that the reference worker keeps all rules of %s', async (version, others) => {
    const worker = startApp({
      name: 'worker',
      script: WORKER_SCRIPT,
      readyPath: '/health/live',
      env: {
        OPEN_CAMERAS: 'on',
        DOWNLOAD_MODELS: 'on',
        DETECTIONS_PER_SECOND: '5',
        PATCH_SESSION_EVERY_MS: '500',
      },
    });
    const { code, failed, skipped } = await tryWhole(worker, version);
    expect({ code, failed, skipped }).toEqual({
      code: 0,
      failed: [],
      skipped: ['token', 'token-image', ...others],
    });
  });

  it('finds what is wrong with a worker that has no terms and drops its streams', async () => {
    const worker = startApp({
      name: 'worker',
      script: WORKER_SCRIPT,
      readyPath: '/health/live',
      env: { OPEN_CAMERAS: 'on', FENCING: 'off', ON_DISCONNECT: 'drop' },
    });
    const only = ['--only', 'upgrade,term-lower,streams-kept'];
    const { code, failed, passed } = await tryWhole(worker, 'v1', ...only);
    expect({ code, passed, failed }).toEqual({
      code: 1,
      passed: 1,
      failed: [
        'term-lower: the lower term was answered with 101',
        'streams-kept: the stream has ended while no master was connected, before 15 s were over',
      ],
    });
  });

  it.each([
    [2, 'the URL of the worker is missing', []],
    [2, 'must begin with ws://, wss://', ['http://127.0.0.1:1']],
    [2, 'there is no check nothing', ['ws://127.0.0.1:1', '--only', 'upgrade,nothing']],
    [2, "Unknown option '--camara'", ['ws://127.0.0.1:1', '--camara', 'rtsp://camera']],
    [1, 'The worker at 127.0.0.1:1 cannot be reached', ['ws://127.0.0.1:1']],
  ])('ends with %i: %s', async (expected, text, args) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, `${stdout}${stderr}`]).toEqual([expected, expect.stringContaining(text)]);
  });

  const sample = findPythonSample();
  // It may be missing on a developer's machine, but not where changes are accepted; the test of the sample says what is missing.
  describe.skipIf('missing' in sample && !process.env.CI)('with the worker in Python', () => {
    it('finds that it keeps the rules of streams, with a camera over RTSP', async () => {
      if (!('found' in sample)) throw new Error(sample.missing);
      const camera = await startRtspCamera(sample.found);
      try {
        const worker = startPython(sample.found, join(camera.directory, 'models'));
        const args = ['--token', TOKEN, '--camera', camera.url, '--only', STREAM_CHECKS.join(',')];
        const { code, failed, passed } = await tryWhole(worker, 'v1', ...args);
        expect({ code, failed }).toEqual({ code: 0, failed: [] });
        expect(passed).toBe(STREAM_CHECKS.length);
      } finally {
        await camera.stop();
      }
    });

    it.each(['v1', 'v2'] as const)('finds that it keeps all rules of %s', async (version) => {
      if (!('found' in sample)) throw new Error(sample.missing);
      const folder = await mkdtemp(join(tmpdir(), 'conformance-models-'));
      try {
        const { code, failed, passed } = await tryWhole(
          startPython(sample.found, folder),
          version,
          '--token',
          TOKEN,
        );
        expect({ code, failed }).toEqual({ code: 0, failed: [] });
        expect(passed).toBeGreaterThan(60);
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  });
});
