// The writer of the bare loop: receives frames from workers and appends them to streams, without parsing them.
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { WebSocket } from 'ws';
import { childArgument, serveCalls } from '../support/child-calls.js';
import { cpuTime } from '../support/process-figures.js';
import { FRAME_BYTES } from './workload.js';

export interface BareRelayArguments {
  readonly redis: string;
  readonly streams: readonly string[];
  /** URLs of the workers. */
  readonly urls: readonly string[];
  /** Most detections in an entry, one in a line. */
  readonly entry: number;
}

/** A pipeline has at most this many detections of each stream. */
const BATCH = 500;
/** At most this many pipelines are in flight. */
const PIPELINES = 4;

const { redis: url, streams, urls, entry } = childArgument<BareRelayArguments>();
const redis = new Redis(url);
const pending = streams.map((): string[] => []);
let running = 0;
let scheduled = false;

/** Messages that arrive in the same turn, or while all pipelines are in flight, share the next one. */
function push(stream: number, message: string): void {
  pending[stream]!.push(message);
  if (scheduled) return;
  scheduled = true;
  setImmediate(() => {
    scheduled = false;
    flush();
  });
}

function flush(): void {
  while (running < PIPELINES) {
    const batch = compose();
    if (batch.length === 0) return;
    running++;
    void redis
      .pipeline(batch)
      .exec()
      .then(() => {
        running--;
        flush();
      });
  }
}

function compose(): string[][] {
  return pending.flatMap((messages, stream) => {
    const taken = messages.splice(0, BATCH);
    const entries: string[][] = [];
    for (let i = 0; i < taken.length; i += entry)
      entries.push(['xadd', streams[stream]!, '*', 'message', taken.slice(i, i + entry).join('\n')]);
    return entries;
  });
}

await Promise.all(
  urls.map(async (worker, index) => {
    const socket = new WebSocket(worker, { perMessageDeflate: false });
    const stream = index % streams.length;
    socket.on('message', (frame: Buffer) => {
      // State reports are shorter: these workers have no subscriptions.
      if (frame.length === FRAME_BYTES) push(stream, frame.toString());
    });
    await once(socket, 'open');
  }),
);

const calls = { cpu: cpuTime };
export type BareRelayCalls = typeof calls;

serveCalls(calls);
