import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TestWorker } from '../../../../apps/detector-worker/src/fixtures/test-worker.fixture.js';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { FrameRecorder } from '../../../../test/support/frame-recorder.js';
import { compileSchemaFiles } from '../../../worker-protocol/src/fixtures/json-schema-files.fixture.js';
import { until } from '../../../../test/support/until.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const schemas = { fromMaster: compileSchemaFiles('commands'), fromWorker: compileSchemaFiles('messages') };

type Frame = { type: string };

/** The errors of a frame by the schema of its type; null if there are none. */
function problems(direction: keyof typeof schemas, frame: Frame, type = frame.type): unknown {
  const validate = schemas[direction].get(type);
  if (validate === undefined) return 'unknown type';
  return validate(frame) ? null : validate.errors;
}

interface ObjectSchema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, ObjectSchema>>;
}

/** Paths of the fields that no message of this schema lacks. */
function requiredFields({ required = [], properties = {} }: ObjectSchema): string[][] {
  return required.flatMap((name) => [
    [name],
    ...requiredFields(properties[name] ?? {}).map((path) => [name, ...path]),
  ]);
}

describe('the messages between a master and the reference worker', () => {
  const running: { stop(): Promise<void> }[] = [];
  const recorders: FrameRecorder[] = [];
  const frames = (direction: keyof typeof schemas) =>
    recorders.flatMap((recorder) => recorder[direction].map((text) => JSON.parse(text) as Frame));

  /** A worker behind a recorder, and its master. `suffix` of the worker's URL selects the version of the protocol. */
  async function start(env: Record<string, string>, suffix = '') {
    const worker = await TestWorker.start(env);
    running.push(worker);
    const recorder = await FrameRecorder.start(`ws://127.0.0.1:${worker.port}`, worker.boot);
    running.push(recorder);
    recorders.push(recorder);
    const workers = [`${recorder.url}${suffix}`];
    const master = await ClusterProcess.start({ prefix: `{${randomUUID()}}:`, workers });
    running.push(master);
    return { cluster: master.cluster, worker };
  }

  beforeAll(async () => {
    await Promise.all([recordVersion1(), recordVersion2()]);
  });

  async function recordVersion2() {
    const { cluster, worker } = await start({ PROTOCOL: 'v2', DETECTIONS_PER_SECOND: '0' }, '#v2');
    await cluster.subscribeToCamera('d;c', 'rtsp://x', 'http://m/x', 1, 'cars', () => undefined);
    await until(async () => (await worker.stats()).commands.accepted.setSubscriptionList > 0);
  }

  async function recordVersion1() {
    const { cluster, worker } = await start({ PATCH_SESSION_EVERY_MS: '50', DETECTIONS_PER_SECOND: '50' });
    const stats = async () => (await worker.stats()).commands.accepted;

    let detections = 0;
    await cluster.subscribeToCamera('d;c', 'rtsp://x', 'http://m/x', 1, 'cars', () => detections++);
    // One patch without a handler, and some with it.
    await cluster.setSessionId('d;c', 7);
    await until(async () => (await worker.stats()).sessionPatches.failed > 0);
    cluster.onPatchSession(() => undefined);
    await until(async () => (await worker.stats()).sessionPatches.succeeded > 0);
    await until(() => detections > 10);
    await until(async () => (await stats()).detectionsAccepted > 0);
    await cluster.setSessionId('d;c', null);
    await until(async () => (await stats()).setSessionId >= 2);
    await cluster.unsubscribeFromCamera('d;c');
    await until(async () => (await stats()).unsubscribe > 0);
  }
  afterAll(async () => {
    for (const one of running.splice(0).toReversed()) await one.stop();
  });

  it.each(['fromMaster', 'fromWorker'] as const)('include every message of the protocol, %s', (direction) => {
    const types = new Set(frames(direction).map(({ type }) => type));
    expect(types).toEqual(new Set(schemas[direction].keys()));
  });

  it.each(['fromMaster', 'fromWorker'] as const)('are valid by the JSON schemas, %s', (direction) => {
    const invalid = frames(direction).flatMap((frame) => {
      const found = problems(direction, frame);
      return found === null ? [] : [{ frame, found }];
    });
    expect(invalid).toEqual([]);
  });

  it.each(['fromMaster', 'fromWorker'] as const)(
    'are refused by the JSON schemas if a required field is missing, %s',
    (direction) => {
      for (const frame of new Map(frames(direction).map((frame) => [frame.type, frame])).values())
        for (const path of requiredFields(schemas[direction].get(frame.type)!.schema as ObjectSchema)) {
          const broken = structuredClone(frame);
          const parent = path
            .slice(0, -1)
            .reduce<Record<string, never>>((value, key) => value[key]!, broken as never);
          delete parent[path.at(-1)!];
          const found =
            path.join() === 'type' ? problems(direction, broken, frame.type) : problems(direction, broken);
          expect({ path, found }).toEqual({ path, found: expect.any(Array) });
        }
    },
  );

  it('begin with the term and the name of the master', () => {
    for (const { upgrades } of recorders)
      expect(upgrades[0]).toMatchObject({
        'x-detector-term': expect.stringMatching(/^[1-9][0-9]*$/),
        'x-detector-master': expect.stringMatching(/./),
      });
  });
});
