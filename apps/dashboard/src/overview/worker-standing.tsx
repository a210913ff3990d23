import type { WorkerRow } from '@detector-cluster/dashboard-protocol';
import { askToChangeStanding, STANDING_CHANGES, type StandingChange } from '../actions/worker-actions.js';
import { feed } from '../feed/feed.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { workerName, STANDING_TEXTS, STATE_TEXTS, STATE_TONES } from './workers.js';

/** A worker that reports shows whether it is empty. An offline worker is empty if nothing is assigned to it. */
function isDrained({ url, state, standing, subscriptionCount }: WorkerRow): boolean {
  if (standing !== 'draining' || subscriptionCount > 0) return false;
  if (state === 'Offline')
    return (
      feed.subscriptionsKnown.value &&
      !Object.values(feed.subscriptions.value).some(({ workerUrl }) => workerUrl === url)
    );
  return state === 'Ready' || state === 'Quarantined';
}

/** `Draining, 3 of 7 left`, and `Drained` at the end. */
function drainText(worker: WorkerRow): string {
  if (isDrained(worker)) return 'Drained';
  const { drainTotal, subscriptionCount } = worker;
  return drainTotal === null ? 'Draining' : `Draining, ${subscriptionCount} of ${drainTotal} left`;
}

/** The state of a worker, and what operators have set. */
export function WorkerBadges({ worker }: { readonly worker: WorkerRow }) {
  const { state, standing } = worker;
  return (
    <>
      <Badge tone={STATE_TONES[state]} title={STATE_TEXTS[state]}>
        {state}
      </Badge>
      {standing !== 'open' && (
        <Badge
          tone={isDrained(worker) ? 'ok' : 'warn'}
          icon={standing === 'draining' ? 'drain' : 'lock'}
          title={STANDING_TEXTS[standing]}
        >
          {standing === 'draining' ? drainText(worker) : 'Cordoned'}
        </Badge>
      )}
    </>
  );
}

const CHANGES = Object.keys(STANDING_CHANGES) as StandingChange[];

export interface StandingButtonsProps {
  readonly worker: WorkerRow;
  readonly size?: 'normal' | 'small';
}

/** The buttons that uncordon, cordon and drain a worker. */
export function StandingButtons({ worker, size = 'normal' }: StandingButtonsProps) {
  return (
    <>
      {CHANGES.map((which) => {
        const { verb, leadsTo } = STANDING_CHANGES[which];
        const already = worker.standing === leadsTo;
        return (
          <Button
            key={which}
            changes
            size={size}
            disabled={already}
            title={already ? STANDING_TEXTS[leadsTo] : undefined}
            onClick={() => askToChangeStanding(worker, which)}
            label={`${verb} ${workerName(worker.url)}`}
          >
            {verb}
          </Button>
        );
      })}
    </>
  );
}
