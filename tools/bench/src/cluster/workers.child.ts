// Workers that hold subscriptions and detect nothing: the first argument says how many.
import { childArgument, serveCalls } from '../support/child-calls.js';
import { sharedClock } from '../support/process-figures.js';
import { SimulatedWorker } from '../support/simulated-worker.js';

const workers = await Promise.all(
  Array.from({ length: childArgument<number>() }, () => SimulatedWorker.start()),
);
const receivedAt = new Map<string, number>();
let commands = 0;
for (const worker of workers) {
  worker.on('held', (id) => {
    commands++;
    receivedAt.set(id, sharedClock());
  });
  worker.on('dropped', () => commands++);
}

const calls = {
  urls: () => workers.map(({ url }) => url),
  /** Commands since the last call. */
  commands(): number {
    const count = commands;
    commands = 0;
    return count;
  },
  /** When any worker last got the subscription, on the shared clock; null: never. */
  receivedAt: (subscriptionIdentifier: string): number | null =>
    receivedAt.get(subscriptionIdentifier) ?? null,
};
export type WorkersCalls = typeof calls;

serveCalls(calls);
