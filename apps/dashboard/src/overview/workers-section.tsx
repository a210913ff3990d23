import type { WorkerRow } from '@detector-cluster/dashboard-protocol';
import { computed, signal } from '@preact/signals';
import { feed } from '../feed/feed.js';
import { routeHref } from '../shell/route.js';
import { route } from '../shell/router.js';
import { AgeOf } from '../time/age-of.js';
import { asOfOutage } from '../ui/as-of.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/empty-state.js';
import { Facts } from '../ui/facts.js';
import { FilterBar } from '../ui/filter-bar.js';
import { Section } from '../ui/page.js';
import { SelectField, type SelectOption } from '../ui/select-field.js';
import { Text } from '../ui/text.js';
import { useFirst } from '../ui/use-first.js';
import { counted } from '../wording/counted.js';
import { UsageMeters } from './usage-meters.js';
import './worker-card.css';
import { WorkerLink } from './worker-link.js';
import { StandingButtons, WorkerBadges } from './worker-standing.js';
import {
  byName,
  findWorkers,
  needsAttention,
  problemText,
  sortWorkers,
  workerName,
  type WorkerSort,
} from './workers.js';

/** A text, because it equals the last one as long as the cluster has the same workers. */
const urls = computed(() => JSON.stringify(Object.keys(feed.workers.value)));

/** Sorting a thousand names takes longer than half a frame, and reports of workers arrive every second. */
const order = computed(() => (JSON.parse(urls.value) as string[]).sort(byName));

/** All workers, in the order of their names. */
export const workersInOrder = computed(() => order.value.map((url) => feed.workers.value[url]!));

/** Choices of a worker. */
export const workerOptions = computed(() =>
  workersInOrder.value.map(({ url }): SelectOption => [url, workerName(url)]),
);

/** How many more workers each click shows. */
const STEP = 24;

const SORTS: readonly SelectOption<WorkerSort>[] = [
  ['name', 'By name'],
  ['state', 'Worst state first'],
  ['cpu', 'Highest CPU first'],
  ['memory', 'Highest memory first'],
  ['gpu', 'Highest GPU first'],
  ['gpuMemory', 'Highest GPU memory first'],
  ['load', 'Most subscriptions first'],
];

const onlyAttention = signal(false);

export function WorkersSection() {
  const { text = '', sort } = route.value.parameters;
  const order = SORTS.find(([name]) => name === sort)?.[0] ?? 'name';
  const workers = workersInOrder.value;
  const attention = workers.filter(needsAttention);
  const candidates = onlyAttention.value ? attention : workers;
  const { shown, more } = useFirst(sortWorkers(findWorkers(candidates, text), order), STEP, 'workers');
  return (
    <Section title="Workers" note={asOfOutage(feed.outage.value)}>
      {workers.length > 0 && (
        <FilterBar
          label="Filter workers"
          searches="Text in the name or address of a worker"
          placeholder="Worker"
        >
          <SelectField label="Order of the workers" parameter="sort" options={SORTS} usual="name" />
          <Button pressed={onlyAttention.value} onClick={() => (onlyAttention.value = !onlyAttention.value)}>
            Needs attention ({attention.length})
          </Button>
        </FilterBar>
      )}
      {workers.length === 0 ? (
        <EmptyState title="No workers">
          No worker is configured, or the master has not connected to one yet. Cameras wait for a worker.
        </EmptyState>
      ) : candidates.length === 0 ? (
        <EmptyState title="All workers are ready" icon="check">
          No worker needs attention.
        </EmptyState>
      ) : shown.length === 0 ? (
        <EmptyState title="No worker matches the filter" icon="search" />
      ) : (
        <div class="workers">
          {shown.map((worker) => (
            <WorkerCard key={worker.url} worker={worker} />
          ))}
        </div>
      )}
      {more}
    </Section>
  );
}

export function WorkerCard({ worker }: { readonly worker: WorkerRow }) {
  const { url, state, subscriptionCount, capacity } = worker;
  return (
    <article class="worker panel" aria-label={workerName(url)}>
      <header class="worker-header">
        <h3>
          <WorkerLink url={url} />
        </h3>
        <p class="worker-badges">
          <WorkerBadges worker={worker} />
        </p>
        {worker.problem !== null && (
          <p class="worker-problem" dir="auto">
            {problemText(worker.problem)}
          </p>
        )}
      </header>
      <UsageMeters worker={worker} />
      <div class="worker-load">
        <p>
          {state === 'Connecting' ? (
            <span class="muted">No report yet of what it runs</span>
          ) : (
            <>
              <a href={routeHref('subscriptions', { worker: url })}>
                {counted(subscriptionCount, 'subscription')}
              </a>
              {capacity !== null && <span class="muted"> of {capacity}</span>}
            </>
          )}
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
      <Facts
        of={{
          Models: worker.models.length === 0 ? '–' : <Text value={worker.models.join(', ')} />,
          Connected: worker.connectedAt === null ? '–' : <AgeOf iso={worker.connectedAt} />,
        }}
      />
      <footer class="worker-actions">
        <StandingButtons worker={worker} size="small" />
      </footer>
    </article>
  );
}
