// A writer of the bare loop that receives frames from workers and does not parse them.
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { WebSocket } from 'ws';
import { childArgument, serveCalls } from '../../support/child-calls.js';
import { cpuTime } from '../../support/process-figures.js';
import { FRAME_BYTES } from '../load/workload.js';
import { BareWriter, type BareArguments } from './bare-writer.js';

/** Arguments of a writer that receives frames from workers. */
export interface BareRelayArguments extends BareArguments {
  readonly urls: readonly string[];
}

const { redis, streams, urls } = childArgument<BareRelayArguments>();
const writer = new BareWriter(new Redis(redis), streams);

await Promise.all(
  urls.map(async (url, worker) => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    socket.on('message', (frame: Buffer) => {
      // State reports are shorter: these workers have no subscriptions.
      if (frame.length === FRAME_BYTES) writer.push(worker, frame.toString());
    });
    await once(socket, 'open');
  }),
);

const calls = { cpu: cpuTime };
export type BareRelayCalls = typeof calls;

serveCalls(calls);
