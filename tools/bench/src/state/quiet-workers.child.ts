// Workers that accept subscriptions but send no detections. `node <file> <count>`; sends their URLs to the parent.
import { SimulatedWorker } from '../support/simulated-worker.js';

const workers = await Promise.all(
  Array.from({ length: Number(process.argv[2]) }, () => SimulatedWorker.start()),
);
process.on('disconnect', () => process.exit());
process.send!(workers.map(({ url }) => url));
