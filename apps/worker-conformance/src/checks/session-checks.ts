import { type Check, demand } from '../check.js';
import type { MasterConnection } from '../stage/master-connection.js';
import { until } from '../stage/waits.js';
import type { WorkerUnderTest } from '../stage/worker-under-test.js';

/** Of the repetition without an answer. Milliseconds. */
const ANSWER_WITHIN = 5_000;

/** A master that has got a patch for a session of a display on which something moves. */
async function withPatch(worker: WorkerUnderTest) {
  const master = await worker.takeOver();
  const displayIdentifier = worker.newName('display');
  const sessionId = worker.nextTerm() % 1_000_000;
  master.send({ type: 'setSessionId', payload: { displayIdentifier, sessionId } });
  const running = await worker.running(master, { display: displayIdentifier });
  await worker.offers('sends no patchSession', () => patchesOf(master, sessionId) > 0);
  return { master, sessionId, displayIdentifier, ...running };
}

const patchesOf = ({ patches }: MasterConnection, id: number) =>
  patches.filter(({ sessionId }) => sessionId === id).length;

export const sessionChecks: readonly Check[] = [
  {
    id: 'session',
    rule: 'a session may be set before the subscription, again, and to null, and disturbs no stream',
    section: 'setsessionid',
    async play(master, worker) {
      const displayIdentifier = worker.newName('display');
      const set = (sessionId: number | null) =>
        master.send({ type: 'setSessionId', payload: { displayIdentifier, sessionId } });
      set(41);
      const { camera, subscription } = await worker.running(master, { display: displayIdentifier });
      const { opened } = camera;
      set(42);
      set(null);
      set(null);
      await master.read('setSessionId with null');
      await master.held(subscription);
      demand(camera.opened === opened, 'the stream was opened again');
    },
  },
  {
    id: 'session-patch',
    rule: 'a patchSession has the sessionId as set, and none comes after null',
    section: 'patchsession',
    async run(worker) {
      const { displayIdentifier, master, sessionId } = await withPatch(worker);
      const wrong = master.patches.find((patch) => patch.sessionId !== sessionId);
      demand(wrong === undefined, `a patchSession has sessionId ${wrong?.sessionId}, which no display has`);
      master.send(
        { type: 'patchSessionResult', payload: { sessionId, success: true } },
        { type: 'setSessionId', payload: { displayIdentifier, sessionId: null } },
      );
      await master.read();
      await master.report('a state report', () => true);
      const before = patchesOf(master, sessionId);
      const none = () => patchesOf(master, sessionId) === before;
      demand(await worker.stays(none), 'a patchSession came for a session that had ended');
    },
  },
  {
    id: 'session-patch-again',
    rule: 'a patchSession without an answer is sent again after 5 s',
    section: 'patchsession',
    async run(worker) {
      const { master, sessionId } = await withPatch(worker);
      await until('the patchSession again, without an answer', ANSWER_WITHIN + worker.limits.patience, () => {
        return patchesOf(master, sessionId) > 1;
      });
    },
  },
];
