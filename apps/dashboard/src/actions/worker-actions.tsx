import type { WorkerRow } from '@detector-cluster/dashboard-protocol';
import type { FunctionComponent } from 'preact';
import { clusterApi } from '../api/cluster-api.js';
import type { AcceptedAnswer } from '../api/cluster-types.js';
import { useLoaded } from '../api/use-answer.js';
import { workerName } from '../overview/workers.js';
import { formatAge } from '../time/instant.js';
import { counted } from '../wording/counted.js';
import { confirmAction, type Confirmation } from './confirm-dialog.js';

/** What an operator can do with a worker; each action sets its `standing`. */
export type StandingChange = 'uncordon' | 'cordon' | 'drain';

interface Change {
  /** Text of its button. */
  readonly verb: string;
  readonly leadsTo: WorkerRow['standing'];
  readonly tone: NonNullable<Confirmation['tone']>;
  /** What will happen. */
  readonly about: FunctionComponent<{ readonly worker: WorkerRow }>;
  readonly call: (url: string) => Promise<AcceptedAnswer>;
  /** The text of the result, and the text if nothing changed. */
  readonly done: string;
  readonly already: string;
}

/** In the order of their buttons. */
export const STANDING_CHANGES: Readonly<Record<StandingChange, Change>> = {
  uncordon: {
    verb: 'Uncordon',
    leadsTo: 'open',
    tone: 'primary',
    about: ({ worker }) => <>It accepts new subscriptions again.{endOfDrain(worker)}</>,
    call: clusterApi.uncordon,
    done: 'accepts subscriptions again',
    already: 'already accepts subscriptions',
  },
  cordon: {
    verb: 'Cordon',
    leadsTo: 'cordoned',
    tone: 'primary',
    about: ({ worker }) => (
      <>It keeps its subscriptions and gets no new ones until it is uncordoned.{endOfDrain(worker)}</>
    ),
    call: clusterApi.cordon,
    done: 'is cordoned',
    already: 'is already cordoned',
  },
  drain: {
    verb: 'Drain',
    leadsTo: 'draining',
    tone: 'danger',
    about: ({ worker }) => (
      <>
        <Forecast worker={worker} /> It gets no new subscriptions until it is uncordoned.
      </>
    ),
    call: clusterApi.drain,
    done: 'is being drained',
    already: 'is already being drained',
  },
};

export function askToChangeStanding(worker: WorkerRow, which: StandingChange): void {
  const { verb, tone, about: About, call, done, already } = STANDING_CHANGES[which];
  const name = workerName(worker.url);
  confirmAction({
    title: `${verb} this worker?`,
    body: () => (
      <>
        <p>
          <bdi class="mono">{name}</bdi>
        </p>
        <p>
          <About worker={worker} />
        </p>
      </>
    ),
    confirm: verb,
    tone,
    run: async () => `${name} ${(await call(worker.url)).changed === false ? already : done}.`,
  });
}

/** How many cameras have no room elsewhere, before the drain begins. */
function Forecast({ worker: { url } }: { readonly worker: WorkerRow }) {
  const { value, problem } = useLoaded(() => clusterApi.drainForecast(url), [url]);
  if (problem.value !== null) return <strong>How many cameras have room elsewhere is not known.</strong>;
  if (value.value === null) return <span class="muted">Asking the master…</span>;
  const { cameras, withoutRoom, deadline } = value.value;
  if (cameras === 0) return <>It has no cameras to move.</>;
  const moving = Math.max(0, cameras - withoutRoom);
  return (
    <>
      {moving > 0 &&
        `${counted(moving, 'camera')} ${moving === 1 ? 'moves' : 'move'} to other workers without a gap. `}
      {withoutRoom > 0 && (
        <strong>
          {counted(withoutRoom, 'camera')} would have no worker: the drain waits {formatAge(deadline)} for
          room, then they stop.
        </strong>
      )}
    </>
  );
}

function endOfDrain({ standing }: WorkerRow): string {
  return standing === 'draining'
    ? ' Its drain stops; subscriptions that have moved come back only to balance the load.'
    : '';
}
