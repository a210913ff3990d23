import { MAX_FRAME_BYTES } from '@detector-cluster/worker-protocol';
import { type Check, demand } from '../check.js';

export const connectionChecks: readonly Check[] = [
  {
    id: 'upgrade',
    rule: 'the worker takes the connection of a master with a term',
    section: 'connection',
    async run(worker) {
      await worker.connect({ term: worker.nextTerm() });
    },
  },
  {
    id: 'upgrade-without-term',
    rule: 'a connection without a term has term 0: it is taken, or refused with 409',
    section: 'connection',
    async run(worker) {
      const { isOpen, refused } = await worker.dial({ term: null });
      demand(isOpen || refused === 409, `the upgrade without X-Detector-Term was answered with ${refused}`);
    },
  },
  {
    id: 'text-frames',
    rule: 'all frames of the worker are text frames',
    section: 'connection',
    async play(master, worker) {
      await worker.running(master);
      demand(
        master.frames.every(({ binary }) => !binary),
        'the worker has sent a binary frame',
      );
    },
  },
  {
    id: 'no-compression',
    rule: 'the worker does not compress frames',
    section: 'connection',
    async run(worker) {
      const { socket } = await worker.connect({ term: worker.nextTerm() });
      demand(socket.extensions === '', `the worker has agreed to ${socket.extensions}`);
    },
  },
  {
    id: 'ping',
    rule: 'the worker answers pings, also behind commands',
    section: 'connection',
    async play(master, worker) {
      master.want(worker.subscription(await worker.deadCamera()));
      await master.read();
    },
  },
  {
    id: 'frame-of-1-mib',
    rule: 'the worker reads frames of up to 1 MiB',
    section: 'connection',
    async play(master, worker) {
      const subscription = worker.subscription(await worker.deadCamera());
      const frame = JSON.stringify(
        master.version === 'v2'
          ? { type: 'setSubscriptionList', payload: { subscriptions: [subscription] } }
          : { type: 'subscribe', payload: subscription },
      );
      master.socket.send(frame + ' '.repeat(MAX_FRAME_BYTES - frame.length));
      await master.row('listed after a command of 1,048,576 bytes', subscription);
      demand(master.isOpen, `the connection was closed with ${master.closed?.code}`);
    },
  },
];
