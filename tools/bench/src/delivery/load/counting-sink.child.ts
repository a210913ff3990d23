// Counts the frames of workers and does nothing else, to show what their host can send.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { childArgument, serveCalls, reportToParent } from '../../support/child-calls.js';
import { FRAME_BYTES, TAKEN_STEP } from './workload.js';

let count = 0;
await Promise.all(
  childArgument<readonly string[]>().map(async (url) => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    socket.on('message', (frame: Buffer) => {
      if (frame.length === FRAME_BYTES && ++count % TAKEN_STEP === 0) reportToParent(count);
    });
    await once(socket, 'open');
  }),
);
const calls = {
  begin: (): void => {
    count = 0;
  },
};
export type CountingSinkCalls = typeof calls;

serveCalls(calls);
