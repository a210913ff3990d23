import { type Check, demand } from '../check.js';
import { holdsFor, until } from '../stage/waits.js';

/** Parts of the time for which streams outlive the last connection. */
const SHORTER = 0.5;
const LONGER = 1.2;

export const lingerChecks: readonly Check[] = [
  {
    id: 'streams-kept',
    rule: 'streams outlive the last connection, and the next master finds them undisturbed',
    section: 'losing-the-connection',
    async play(master, worker) {
      const { camera, subscription, undisturbed } = await worker.running(master);
      const { opened } = camera;
      master.socket.terminate();
      const still = () => camera.opened === opened && camera.open > 0;
      demand(
        await holdsFor(SHORTER * worker.limits.linger, still),
        'the stream has ended while no master was connected, before 15 s were over',
      );
      const next = await worker.connect({ term: worker.nextTerm() });
      demand(
        next.reports[0]!.cameraConnections.some(
          (row) => row.subscriptionIdentifier === subscription.subscriptionIdentifier,
        ),
        'the first report to the next master does not list the subscription',
      );
      await undisturbed('the stream was opened again for the next master');
    },
  },
  {
    id: 'streams-kept-in-silence',
    rule: 'streams continue while a connection is open, also if no command comes',
    section: 'losing-the-connection',
    async run(worker) {
      // Not even confirmations: a former master keeps its connection, and says nothing.
      const master = await worker.takeOver({ accepts: false });
      const { camera, subscription } = await worker.running(master);
      const { opened } = camera;
      const still = () => master.isOpen && camera.opened === opened && camera.open > 0;
      demand(
        await holdsFor(LONGER * worker.limits.linger, still),
        'the stream has ended in a time without commands',
      );
      await master.held(subscription);
    },
  },
  {
    id: 'streams-dropped',
    rule: 'streams end when no master has come back within 15 s (allowed: three times as long)',
    section: 'losing-the-connection',
    async play(master, worker) {
      const { camera } = await worker.running(master);
      master.socket.terminate();
      const limit = 3 * worker.limits.linger;
      await until('the end of the stream without a master', limit, () => camera.open === 0);
      const next = await worker.connect({ term: worker.nextTerm() });
      demand(
        next.reports[0]!.cameraConnections.length === 0,
        'the first report still lists the subscription',
      );
    },
  },
];
