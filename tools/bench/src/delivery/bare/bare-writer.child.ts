// A writer of the bare loop that makes the frames itself.
import { Redis } from 'ioredis';
import { childArgument, serveCalls } from '../../support/child-calls.js';
import { cpuTime } from '../../support/process-figures.js';
import { DetectionFrames } from '../load/detection-frames.js';
import { LoadSource, type Outlet, type SourceCalls } from '../load/load-source.js';
import { BareWriter, type BareArguments } from './bare-writer.js';

const { redis, streams } = childArgument<BareArguments>();
const frames = new DetectionFrames();
const writer = new BareWriter(new Redis(redis), streams);
const source = new LoadSource();
const outlet: Outlet = {
  send: (n, due) => writer.push(n, frames.text(n, due)),
  flush: () => frames.touch(),
};

serveCalls<SourceCalls>(
  {
    steady: (_, ...plan) => source.steady(outlet, ...plan),
    flood: (_, ...plan) => source.flood(outlet, ...plan),
    cpu: cpuTime,
  },
  (taken) => source.progress(taken),
);
