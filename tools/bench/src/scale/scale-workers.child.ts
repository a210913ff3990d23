// Workers that hold subscriptions and detect nothing: the first argument says how many.
import { childArgument, serveCalls } from '../support/child-calls.js';
import { sharedClock } from '../support/shared-clock.js';
import { SimulatedWorker } from '../support/simulated-worker.js';
import type { ScaleWorkersCalls } from './scale-calls.js';

const workers = await Promise.all(
  Array.from({ length: childArgument<number>() }, () => SimulatedWorker.start()),
);
const toldAt = new Map<string, number>();
let commands = 0;
for (const worker of workers) {
  worker.on('held', (id) => {
    commands++;
    toldAt.set(id, sharedClock());
  });
  worker.on('dropped', () => commands++);
}

serveCalls<ScaleWorkersCalls>({
  urls: () => Promise.resolve(workers.map(({ url }) => url)),
  commands: () => {
    const count = commands;
    commands = 0;
    return Promise.resolve(count);
  },
  toldAt: (id) => Promise.resolve(toldAt.get(id) ?? null),
});
