import { signal } from '@preact/signals';
import { Button } from '../../ui/button.js';
import { EmptyState } from '../../ui/empty-state.js';
import { WorkerCard } from './worker-card.js';
import { workersInOrder } from './workers-in-order.js';
import { WorkerTable } from './worker-table.js';
import { needsAttention } from './worker-tones.js';

/** More workers are shown in a table. A card has four moving lines. */
const MOST_CARDS = 24;

const onlyAttention = signal(false);

export function WorkersSection() {
  const workers = workersInOrder.value;
  const attention = workers.filter(needsAttention);
  const shown = onlyAttention.value ? attention : workers;
  const cards = workers.length <= MOST_CARDS;
  return (
    <section class="section" aria-labelledby="workers-title">
      <div class="section-header">
        <h2 id="workers-title">Workers {cards && <span class="section-note">last two minutes</span>}</h2>
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
      ) : !cards ? (
        <WorkerTable workers={shown} />
      ) : (
        <div class="workers">
          {shown.map((worker) => (
            <WorkerCard key={worker.url} worker={worker} />
          ))}
        </div>
      )}
    </section>
  );
}
