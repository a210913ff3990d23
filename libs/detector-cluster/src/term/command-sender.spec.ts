import { beforeEach, describe, expect, it } from 'vitest';
import type { DesiredEntry, WorkerAction } from '@detector-cluster/placement/internal';
import type { SubscribeCommand } from '@detector-cluster/worker-protocol';
import type { ModelFile } from '../sources/model-url-provider.js';
import { CommandSender, type CommandSenderOptions } from './command-sender.js';

const WORKER = 'ws://worker-1:8000';

const subscribe = (subscriptionIdentifier: string, workerUrl = WORKER): WorkerAction => ({
  type: 'subscribe',
  workerUrl,
  subscriptionIdentifier,
});

const entry = (subscriptionIdentifier: string, change: Partial<DesiredEntry> = {}): DesiredEntry => ({
  spec: {
    subscriptionIdentifier,
    rtspUrl: 'rtsp://camera/1',
    modelId: 1,
    modelName: 'cars',
    createdAt: '2026-01-01T00:00:00.000Z',
  },
  cameraId: subscriptionIdentifier.split(';')[1]!,
  hash: 'hash',
  ...change,
});

const desiredOf = (...entries: DesiredEntry[]) =>
  new Map(entries.map((each) => [each.spec.subscriptionIdentifier, each]));

describe('CommandSender', () => {
  let sent: { worker: string; id: string }[];
  let payloads: SubscribeCommand['payload'][];
  let file: ModelFile;
  let learned: string[];
  let warnings: string[];
  /** Subscriptions that run at the worker and whose parameters its list lacks. */
  let unknown: string[];
  let sender: CommandSender;

  beforeEach(() => {
    [sent, learned, warnings, unknown, payloads] = [[], [], [], [], []];
    file = { url: 'https://models.example.com/1' };
    const options = {
      pool: {
        unknownOf: (worker: string) => (worker === WORKER ? unknown : []),
        learn: (_worker: string, { payload }: { payload: { subscriptionIdentifier: string } }) => {
          learned.push(payload.subscriptionIdentifier);
          unknown = unknown.filter((id) => id !== payload.subscriptionIdentifier);
        },
        send: (worker: string, { payload }: SubscribeCommand) => {
          payloads.push(payload);
          sent.push({ worker, id: payload.subscriptionIdentifier });
        },
        flush: () => undefined,
      },
      actual: { sending: () => undefined, lastModelUrl: () => null },
      sessions: { subscribed: () => undefined },
      models: { wantedFile: async () => file },
      logger: { warn: (line: string) => void warnings.push(line), error: () => undefined },
    };
    sender = new CommandSender(options as unknown as CommandSenderOptions);
  });

  it('sends the size and the SHA-256 of the file, where they are known', async () => {
    const [actions, desired] = [[subscribe('d1;c1')], desiredOf(entry('d1;c1'))];
    await sender.send((await sender.prepare(actions, desired)).ready);
    file = { ...file, size: 7, sha256: 'ab'.repeat(32) };
    await sender.send((await sender.prepare(actions, desired)).ready);
    expect(payloads[0]).not.toHaveProperty('modelSize');
    expect(payloads[1]).toMatchObject({ modelUrl: file.url, modelSize: 7, modelSha256: 'ab'.repeat(32) });
  });

  it('sends nothing to a worker whose list would lack a subscription that runs there, and says so once', async () => {
    unknown = ['old;1'];
    const actions = [subscribe('d1;c1'), subscribe('d2;c2', 'ws://worker-2:8000')];
    const desired = desiredOf(entry('d1;c1'), entry('d2;c2'), entry('old;1', { redacted: true }));
    for (let pass = 0; pass < 2; pass++) {
      const { failed, ready } = await sender.prepare(actions, desired);
      expect(failed).toEqual([{ ...subscribe('d1;c1'), reason: 'worker-list-incomplete' }]);
      sent = [];
      await sender.send(ready);
      expect(sent).toEqual([{ worker: 'ws://worker-2:8000', id: 'd2;c2' }]);
    }
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/worker-1.* 1 that it runs are not known, e\.g\. old;1/);
  });

  it('completes the list first if the parameters are known', async () => {
    unknown = ['old;1'];
    const { failed, ready } = await sender.prepare(
      [subscribe('d1;c1')],
      desiredOf(entry('d1;c1'), entry('old;1')),
    );
    expect([failed, ready.length, learned]).toEqual([[], 1, ['old;1']]);
    expect(warnings).toEqual([]);
  });
});
