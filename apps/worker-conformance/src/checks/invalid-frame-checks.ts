import { MAX_FRAME_BYTES } from '@detector-cluster/worker-protocol';
import { type Check, demand } from '../check.js';
import type { WorkerUnderTest } from '../stage/worker-under-test.js';

const DEPTH = 100_000;

/** Sends the frames to a worker that runs a stream. Nothing may change, and the connection stays open. */
async function survives(worker: WorkerUnderTest, ...frames: readonly (string | Buffer)[]): Promise<void> {
  const master = await worker.takeOver();
  const { camera, subscription } = await worker.running(master);
  const { opened } = camera;
  for (const frame of frames) {
    master.socket.send(frame);
    await master.read(`the frame ${JSON.stringify(frame.toString().slice(0, 60))}`);
  }
  await master.held(subscription);
  demand(camera.opened === opened, 'the stream was opened again');
}

export const invalidFrameChecks: readonly Check[] = [
  {
    id: 'invalid-json',
    rule: 'a frame that is no JSON changes nothing',
    section: 'what-is-invalid',
    run: (worker) => survives(worker, 'hello', '', '{"type":"requestState"', '\u0000'),
  },
  {
    id: 'invalid-object',
    rule: 'a frame that is no object with a type changes nothing',
    section: 'what-is-invalid',
    run: (worker) =>
      survives(worker, 'null', '[]', '1', '"requestState"', '{}', '{"type":7}', '{"type":null}'),
  },
  {
    id: 'invalid-type',
    rule: 'a frame of an unknown type is ignored',
    section: 'what-is-invalid',
    run: (worker) =>
      survives(worker, '{"type":"ofLaterVersions","payload":{"a":[1]}}', '{"type":"toString"}'),
  },
  {
    id: 'invalid-field',
    rule: 'a command whose fields are missing or of a wrong type changes nothing',
    section: 'what-is-invalid',
    run: (worker) =>
      survives(
        worker,
        ...[
          'subscribe',
          'unsubscribe',
          'setSubscriptionList',
          'setSessionId',
          'patchSessionResult',
          'detectionsAccepted',
        ]
          .map((type) => [
            { type },
            { type, payload: null },
            { type, payload: [] },
            { type, payload: { subscriptions: 1 } },
          ])
          .flat()
          .map((command) => JSON.stringify(command)),
        '{"type":"subscribe","payload":{"subscriptionIdentifier":7,"rtspUrl":[],"modelId":"x"}}',
      ),
  },
  {
    id: 'invalid-binary',
    rule: 'a binary frame that is no JSON changes nothing',
    section: 'what-is-invalid',
    run: (worker) => survives(worker, Buffer.from([0xff, 0xfe, 0, 1]), Buffer.alloc(0)),
  },
  {
    id: 'invalid-depth',
    rule: 'a frame that nests deeper than 500 levels does not end the worker',
    section: 'connection',
    run: (worker) =>
      survives(worker, `{"type":"requestState","payload":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`),
  },
  {
    id: 'frame-too-large',
    rule: 'a frame above 1 MiB costs at most its connection, and no stream',
    section: 'connection',
    async play(master, worker) {
      const { camera, subscription } = await worker.running(master);
      const { opened } = camera;
      master.socket.send(`{"type":"requestState","payload":"${'x'.repeat(2 * MAX_FRAME_BYTES)}"}`);
      await worker.stays(() => master.isOpen);
      const next = await worker.connect();
      await next.held(subscription);
      demand(camera.opened === opened, 'the stream was opened again');
    },
  },
];
