import { computed, signal } from '@preact/signals';
import { feed } from '../../feed/feed.js';
import { Button } from '../../ui/button.js';
import { EmptyState } from '../../ui/empty-state.js';
import { WorkerCard } from './worker-card.js';
import { inOrder } from './worker-order.js';
import { needsAttention } from './worker-tones.js';

/** So many cards are drawn without being asked for: each of them has four lines that move. */
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
          Workers <span class="section-note">with the last two minutes</span>
        </h2>
        <Button
          size="small"
          pressed={onlyAttention.value}
          onClick={() => (onlyAttention.value = !onlyAttention.value)}
        >
          Only those that need attention ({attention.length})
        </Button>
      </div>
      {workers.length === 0 ? (
        <div class="panel">
          <EmptyState title="No workers">
            None is configured, or the master has not dialled any yet. Cameras wait until there is one.
          </EmptyState>
        </div>
      ) : shown.length === 0 ? (
        <div class="panel">
          <EmptyState title="All is well" icon="check">
            Every worker is ready and takes part.
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
