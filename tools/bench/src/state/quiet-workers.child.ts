// Workers that accept subscriptions but send no detections.
import { childArgument, serveCalls } from '../support/child-calls.js';
import { SimulatedWorker } from '../support/simulated-worker.js';
import type { QuietWorkersCalls } from './state-calls.js';

const workers = await Promise.all(
  Array.from({ length: childArgument<number>() }, () => SimulatedWorker.start()),
);
serveCalls<QuietWorkersCalls>({ urls: () => Promise.resolve(workers.map(({ url }) => url)) });
