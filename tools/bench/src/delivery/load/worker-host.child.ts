// All workers in one process: those of the cluster, and as many for the bare loop.
import { serveCalls } from '../../support/child-calls.js';
import { cpuTime } from '../../support/cpu-time.js';
import { DetectionFrames } from './detection-frames.js';
import { LoadSource } from './load-source.js';
import type { WorkerHostCalls } from './source-calls.js';
import { WorkerOutlet } from './worker-outlet.js';

const frames = new DetectionFrames();
const outlets = { cluster: await WorkerOutlet.start(frames), bare: await WorkerOutlet.start(frames) };
const source = new LoadSource();

serveCalls<WorkerHostCalls>(
  {
    urls: (outlet) => Promise.resolve(outlets[outlet].urls),
    misroute: (count) => {
      outlets.cluster.misrouted = count;
      return Promise.resolve();
    },
    steady: (outlet, ...plan) => source.steady(outlets[outlet], ...plan),
    flood: (outlet, ...plan) => source.flood(outlets[outlet], ...plan),
    cpu: cpuTime,
  },
  (taken) => source.progress(taken),
);
