// The same path with the library's parts: socket → validation → router → consumer → callback.
import {
  DetectionConsumer,
  DetectionListeners,
  DetectionRouter,
} from '@detector-cluster/detector-cluster/delivery';
import { clusterKeys } from '@detector-cluster/detector-cluster';
import { parseWorkerMessage } from '@detector-cluster/worker-protocol';
import { WebSocket } from 'ws';
import { childArguments, tell } from './bench-child.js';
import { DetectionSink } from './detection-sink.js';

const { role, redis, prefix, port } = childArguments();
const keys = clusterKeys(prefix);
const complain = (event: object) => process.stderr.write(`${JSON.stringify(event)}\n`);

async function master(): Promise<void> {
  const router = new DetectionRouter({
    redis,
    keys,
    processId: 'master',
    term: Date.now(),
    isValid: () => true,
    persistAssignments: () => Promise.resolve(),
    onEvent: (event) => {
      if (event.type !== 'owner-changed') complain(event);
    },
  });
  router.setMembers(['consumer']);
  router.setWorkers(['worker']);
  await router.start();
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  let sequence = 0;
  socket.on('message', (frame: Buffer) => {
    const parsed = parseWorkerMessage(frame);
    if (!parsed.ok || parsed.message.type !== 'imageDetection') return;
    const { subscriptionIdentifier, timestamp } = parsed.message;
    const detectionId = `1-1-${++sequence}`;
    router.route({ workerUrl: 'worker', subscriptionIdentifier, frame, timestamp, detectionId });
  });
  await new Promise((resolve) => socket.once('open', resolve));
  tell({ type: 'ready' });
}

async function consumer(): Promise<void> {
  const sink = new DetectionSink();
  const listeners = new DetectionListeners();
  listeners.addGlobal(({ data }) => sink.take(data.detection!.sentAt as number));
  await new DetectionConsumer({ redis, keys, processId: 'consumer', listeners, onEvent: complain }).start();
  tell({ type: 'ready' });
}

process.on('disconnect', () => process.exit());
await (role === 'master' ? master() : consumer());
