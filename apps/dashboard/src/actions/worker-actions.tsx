import type { WorkerRow } from '@detector-cluster/dashboard-protocol';
import { clusterApi } from '../api/cluster-api.js';
import type { AcceptedAnswer } from '../api/cluster-types.js';
import { workerName } from '../overview/workers/worker-name.js';
import { confirmAction, type Confirmation } from './confirmation.js';

/** What operators can want of a worker; what each leads to is its `standing`. */
export type StandingChange = 'uncordon' | 'cordon' | 'drain';

interface Change {
  /** On its button. */
  readonly verb: string;
  readonly leadsTo: WorkerRow['standing'];
  readonly tone: NonNullable<Confirmation['tone']>;
  /** What will happen. */
  readonly about: (worker: WorkerRow) => string;
  readonly call: (url: string) => Promise<AcceptedAnswer>;
  /** What is so afterwards, and what is said when it was so already. */
  readonly done: string;
  readonly already: string;
}

/** In the order of their buttons. */
export const STANDING_CHANGES: Readonly<Record<StandingChange, Change>> = {
  uncordon: {
    verb: 'Uncordon',
    leadsTo: 'open',
    tone: 'primary',
    about: (worker) => `It takes part again and may get new cameras.${endOfDrain(worker)}`,
    call: clusterApi.uncordon,
    done: 'takes part again',
    already: 'takes part already',
  },
  cordon: {
    verb: 'Cordon',
    leadsTo: 'cordoned',
    tone: 'primary',
    about: (worker) =>
      `It keeps what it has and gets nothing new until it is uncordoned.${endOfDrain(worker)}`,
    call: clusterApi.cordon,
    done: 'is cordoned',
    already: 'is cordoned already',
  },
  drain: {
    verb: 'Drain',
    leadsTo: 'draining',
    tone: 'danger',
    about: (worker) => `${whatMoves(worker)} It gets nothing new until it is uncordoned.`,
    call: clusterApi.drain,
    done: 'is being drained',
    already: 'is being drained already',
  },
};

export function askToChangeStanding(worker: WorkerRow, which: StandingChange): void {
  const { verb, tone, about, call, done, already } = STANDING_CHANGES[which];
  const name = workerName(worker.url);
  confirmAction({
    title: `${verb} this worker?`,
    body: () => (
      <>
        <p>
          <bdi class="mono">{name}</bdi>
        </p>
        <p>{about(worker)}</p>
      </>
    ),
    confirm: verb,
    tone,
    run: async () => `${name} ${(await call(worker.url)).changed === false ? already : done}.`,
  });
}

function whatMoves({ subscriptionCount: count }: WorkerRow): string {
  if (count === 0) return 'It has nothing to move.';
  const what = count === 1 ? '1 subscription' : `${count} subscriptions`;
  return `What it has (${what}) moves to other workers, each camera without a gap where the others have room.`;
}

function endOfDrain({ standing }: WorkerRow): string {
  return standing === 'draining' ? ' Its drain ends where it is.' : '';
}
