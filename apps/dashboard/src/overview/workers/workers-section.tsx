import { computed, signal } from '@preact/signals';
import { feed } from '../../feed/feed.js';
import { Button } from '../../ui/button.js';
import { EmptyState } from '../../ui/empty-state.js';
import { WorkerCard } from './worker-card.js';
import { inOrder } from './worker-order.js';
import { needsAttention } from './worker-tones.js';

/** How many cards are drawn at first. Each card has four moving lines. */
const FIRST = 60;

const onlyAttention = signal(false);
const all = signal(false);
const ordered = computed(() => inOrder(Object.values(feed.workers.value)));

export function WorkersSection() {
  const workers = ordered.value;
  const attention = workers.filter(needsAttention);
  const chosen = onlyAttention.value ? attention : workers;
  const shown = all.value ? chosen : chosen.slice(0, FIRST);
  return (
    <section class="section" aria-labelledby="workers-title">
      <div class="section-header">
        <h2 id="workers-title">
          Workers <span class="section-note">last two minutes</span>
        </h2>
        <Button
          size="small"
          pressed={onlyAttention.value}
          onClick={() => (onlyAttention.value = !onlyAttention.value)}
        >
          Needs attention ({attention.length})
        </Button>
      </div>
      {workers.length === 0 ? (
        <div class="panel">
          <EmptyState title="No workers">
            No worker is configured, or the master has not connected to one yet. Cameras wait for a worker.
          </EmptyState>
        </div>
      ) : shown.length === 0 ? (
        <div class="panel">
          <EmptyState title="All workers are ready" icon="check">
            No worker needs attention.
          </EmptyState>
        </div>
      ) : (
        <div class="workers">
          {shown.map((worker) => (
            <WorkerCard key={worker.url} worker={worker} />
          ))}
        </div>
      )}
      {shown.length < chosen.length && (
        <Button onClick={() => (all.value = true)}>Show all {chosen.length} workers</Button>
      )}
    </section>
  );
}
