import { CloseCode } from '@detector-cluster/worker-protocol';
import { type Check, demand } from '../check.js';

/** They need the worker's process or what it writes. */
export const processChecks: readonly Check[] = [
  {
    id: 'log-without-secrets',
    rule: 'the log holds no rtspUrl, no modelUrl and no token',
    section: 'subscribe',
    needs: ['log'],
    async play(master, worker) {
      const { subscription } = await worker.running(master);
      const { secret } = worker;
      const bad = ['file:///etc/hostname?', 'rtsp://viewer:', 'not an address '].map(
        (start) => `${start}${secret}@[`,
      );
      master.want(
        subscription,
        worker.subscription(await worker.deadCamera(), {
          modelVersion: worker.newName('version'),
          modelUrl: worker.modelUrl('none', 'missing'),
        }),
        ...bad.map((url) => worker.subscription({ id: worker.newName('camera'), url })),
      );
      master.socket.send(`{"type":"subscribe","payload":{"rtspUrl":"rtsp://viewer:${secret}@camera/"}}`);
      await master.read();
      await worker.stays(() => true);
      const log = await worker.options.readLog!();
      demand(log.length > 0, 'the log is empty');
      const line = log.split('\n').find((text) => text.includes(secret));
      demand(line === undefined, `the log holds an address: ${line?.replaceAll(secret, '***')}`);
      const { token } = worker.options;
      demand(token === undefined || !log.includes(token), 'the log holds the token');
    },
  },
  {
    id: 'sigterm',
    rule: 'after SIGTERM the worker closes its connections with 1001 and takes no new ones',
    section: 'connection',
    needs: ['pid'],
    async play(master, worker) {
      await worker.running(master);
      worker.options.terminate!();
      const { code } = await worker.until('the close after SIGTERM', () => master.closed);
      demand(code === CloseCode.GoingAway, `the connection was closed with ${code}`);
      await worker.until('refused connections after SIGTERM', async () => {
        const { isOpen, refused } = await worker.dial();
        return !isOpen && (refused === undefined || refused === 503);
      });
    },
  },
];
