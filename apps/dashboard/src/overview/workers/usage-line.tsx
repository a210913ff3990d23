import type { WorkerRow } from '@detector-cluster/dashboard-protocol';
import { effect, signal } from '@preact/signals';
import { feed } from '../../feed/feed.js';
import { UsageHistory, SPARK_HEIGHT, SPARK_WIDTH, sparkPath, type Usage } from './usage-history.js';

/** Two minutes, at one sample per second. */
const USAGE_SAMPLES = 120;

export const usageHistory = new UsageHistory(USAGE_SAMPLES);

/** Changes with each sample. */
export const sampled = signal(0);

/** Takes a sample with each message of the service, on any page. */
export function startHistories(): void {
  effect(() => {
    if (feed.at.value === '') return;
    usageHistory.record(feed.workers.peek());
    sampled.value = sampled.peek() + 1;
  });
}

/** The width is at least this many samples. */
const LEAST = 30;

/** All figures of a worker, with their recent history. */
export function UsageLines({ worker }: { readonly worker: WorkerRow }) {
  return (
    <dl class="usages">
      <UsageLine name="CPU" worker={worker} usage="cpuUsage" />
      <UsageLine name="Memory" worker={worker} usage="memoryUsage" />
      <UsageLine name="GPU" worker={worker} usage="gpuUsage" />
      <UsageLine name="GPU memory" worker={worker} usage="gpuMemoryUsage" />
    </dl>
  );
}

interface UsageLineProps {
  readonly name: string;
  readonly worker: WorkerRow;
  readonly usage: Usage;
}

function UsageLine({ name, worker, usage }: UsageLineProps) {
  const value = worker[usage];
  const missing = worker.online ? 'The worker does not report it' : 'The worker sends no reports';
  return (
    <div class="usage">
      <dt class="usage-name">{name}</dt>
      <dd class="usage-spark">
        <Spark url={worker.url} usage={usage} />
      </dd>
      <dd class={value !== null && value >= 90 ? 'usage-value usage-high' : 'usage-value'}>
        {value === null ? <span title={missing}>–</span> : `${value} %`}
      </dd>
    </div>
  );
}

function Spark({ url, usage }: { readonly url: string; readonly usage: Usage }) {
  // Subscribes to new samples.
  void sampled.value;
  const samples = usageHistory.of(url, usage);
  const path = sparkPath(samples, Math.max(LEAST, samples.length));
  return (
    <svg viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
