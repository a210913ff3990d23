// A writer of the bare loop that receives frames from workers and does not parse them.
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { WebSocket } from 'ws';
import { childArgument, serveCalls } from '../../support/child-calls.js';
import { cpuTime } from '../../support/cpu-time.js';
import { FRAME_BYTES } from '../load/workload.js';
import type { BareRelayArguments, BareRelayCalls } from './bare-child-arguments.js';
import { BareWriter } from './bare-writer.js';

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
serveCalls<BareRelayCalls>({ cpu: cpuTime });
