// A process that takes detections until it is killed: node delivery-child.mjs '{"url", "prefix", "processId", "callbackTime", "options"}'
// It writes what its callbacks do to file descriptor 3, one JSON per line and before they continue, so that a kill loses no line.
// Uses the built library: run "npm run build" first.
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeRedis, commandSettings, openRedis, SharedSubscriber } from '@detector-cluster/election/redis';
import {
  deliveryKeys,
  DetectionConsumer,
  DetectionListeners,
  generalLogConnection,
  InterestRegistry,
  redisConsumerStores,
} from '../../libs/delivery/dist/index.js';

const { url, prefix, processId, callbackTime, options } = JSON.parse(process.argv[2]);
const keys = deliveryKeys(prefix);
/** All processes of a machine share this clock. */
const at = () => Number(process.hrtime.bigint()) / 1e6;
const report = (event) => writeSync(3, `${JSON.stringify({ ...event, at: at() })}\n`);

const listeners = new DetectionListeners();
listeners.addGlobal(
  async ({ subscriptionIdentifier, data }, { detectionId, redelivered, attempt, signal }) => {
    const { n, hold } = data.detection;
    report({ type: 'start', detectionId, subscription: subscriptionIdentifier, n, redelivered, attempt });
    if (hold) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    else await sleep(callbackTime);
    report({ type: signal.aborted ? 'abort' : 'end', detectionId });
  },
);

const commands = openRedis(url, { ...commandSettings, enableOfflineQueue: true });
const subscriber = new SharedSubscriber(url);
const connections = { source: url, commands, subscriber, keys, onError: () => undefined };
const registry = new InterestRegistry({ redis: commands, keys, processId, listeners, timeout: 1 });
const consumer = new DetectionConsumer({
  stores: redisConsumerStores(connections, generalLogConnection(connections)),
  keys,
  processId,
  listeners,
  onOwnershipLost: () => registry.repeat(),
  options,
});
consumer.start();
await registry.announce();
process.send('ready');
process.on('disconnect', () => process.exit());
process.on('message', async () => {
  await registry.withdraw();
  await consumer.stop();
  subscriber.close();
  closeRedis(commands);
  process.disconnect();
});
