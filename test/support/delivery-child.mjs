// A process that takes detections until it is killed: node delivery-child.mjs <redis url> <keys as JSON> <process id> <callback ms>
// It reports every callback run to its parent. Uses the built library: run "npm run build" first.
import { setTimeout as sleep } from 'node:timers/promises';

const library = new URL('../../libs/detector-cluster/dist/delivery/index.js', import.meta.url);
const { DetectionConsumer, DetectionListeners } = await import(library.href);
const [redis, prefix, processId, duration] = process.argv.slice(2);
const { clusterKeys } = await import(
  new URL('../../libs/detector-cluster/dist/redis/cluster-keys.js', import.meta.url).href
);

const listeners = new DetectionListeners();
listeners.addGlobal(async (detection, { detectionId, redelivered }) => {
  await sleep(Number(duration));
  process.send({
    detectionId,
    redelivered,
    n: detection.data.detection.n,
    subscription: detection.subscriptionIdentifier,
  });
});
const consumer = new DetectionConsumer({ redis, keys: clusterKeys(prefix), processId, listeners });
await consumer.start();
process.send('ready');
process.on('disconnect', () => process.exit());
