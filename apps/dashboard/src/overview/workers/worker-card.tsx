import type { WorkerRow } from '@detector-cluster/dashboard-protocol';
import { askToChangeStanding, STANDING_CHANGES, type StandingChange } from '../../actions/worker-actions.js';
import { feed } from '../../feed/feed.js';
import { AgeOf } from '../../format/age-of.js';
import { routeHref } from '../../shell/route.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Text } from '../../ui/text.js';
import { UsageLine } from './usage-line.js';
import './worker-card.css';
import { workerName } from './worker-name.js';
import { STANDING_TEXTS, STATE_TEXTS, STATE_TONES } from './worker-tones.js';

/** A worker that reports shows whether it is empty. An offline worker is empty if nothing is assigned to it. */
function isDrained({ url, state, standing, subscriptionCount }: WorkerRow): boolean {
  if (standing !== 'draining' || subscriptionCount > 0) return false;
  if (state === 'Offline')
    return !Object.values(feed.subscriptions.value).some(({ workerUrl }) => workerUrl === url);
  return state === 'Ready' || state === 'Quarantined';
}

/** `Draining, 3 of 7 left`, and `Drained` at the end. */
function drainText(worker: WorkerRow): string {
  if (isDrained(worker)) return 'Drained';
  const { drainTotal, subscriptionCount } = worker;
  return drainTotal === null ? 'Draining' : `Draining, ${subscriptionCount} of ${drainTotal} left`;
}

const CHANGES = Object.keys(STANDING_CHANGES) as StandingChange[];

export function WorkerCard({ worker }: { readonly worker: WorkerRow }) {
  const { url, state, standing, subscriptionCount, capacity } = worker;
  return (
    <article class="worker panel" aria-label={workerName(url)}>
      <header class="worker-header">
        <h3 title={url}>
          <bdi class="cut">{workerName(url)}</bdi>
        </h3>
        <p class="worker-badges">
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
        </p>
      </header>
      <dl class="usages">
        <UsageLine name="CPU" worker={worker} usage="cpuUsage" />
        <UsageLine name="Memory" worker={worker} usage="memoryUsage" />
        <UsageLine name="GPU" worker={worker} usage="gpuUsage" />
        <UsageLine name="GPU memory" worker={worker} usage="gpuMemoryUsage" />
      </dl>
      <div class="worker-load">
        <p>
          <a href={routeHref('subscriptions', { worker: url })}>
            {subscriptionCount} {subscriptionCount === 1 ? 'subscription' : 'subscriptions'}
          </a>
          {capacity !== null && <span class="muted"> of {capacity}</span>}
        </p>
        {capacity !== null && capacity > 0 && (
          <meter
            min={0}
            max={capacity}
            high={capacity * 0.9}
            value={Math.min(subscriptionCount, capacity)}
            aria-label="Share of its capacity"
          />
        )}
      </div>
      <dl class="facts">
        <dt>Models</dt>
        <dd>{worker.models.length === 0 ? '–' : <Text value={worker.models.join(', ')} />}</dd>
        <dt>Connected</dt>
        <dd>{worker.connectedAt === null ? '–' : <AgeOf iso={worker.connectedAt} />}</dd>
      </dl>
      <footer class="worker-actions">
        {CHANGES.map((which) => (
          <StandingButton key={which} worker={worker} which={which} />
        ))}
      </footer>
    </article>
  );
}

function StandingButton({ worker, which }: { readonly worker: WorkerRow; readonly which: StandingChange }) {
  const { verb, leadsTo } = STANDING_CHANGES[which];
  const already = worker.standing === leadsTo;
  return (
    <Button
      size="small"
      disabled={already}
      title={already ? STANDING_TEXTS[leadsTo] : undefined}
      onClick={() => askToChangeStanding(worker, which)}
      label={`${verb} ${workerName(worker.url)}`}
    >
      {verb}
    </Button>
  );
}
