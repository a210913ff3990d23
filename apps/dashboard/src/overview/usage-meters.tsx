import type { WorkerRow } from '@detector-cluster/dashboard-protocol';
import './worker-card.css';

const USAGES = [
  ['CPU', 'cpuUsage'],
  ['Memory', 'memoryUsage'],
  ['GPU', 'gpuUsage'],
  ['GPU memory', 'gpuMemoryUsage'],
] as const;

/** What a worker uses now. The page of the worker shows its load over time. */
export function UsageMeters({ worker }: { readonly worker: WorkerRow }) {
  const missing = worker.online ? 'The worker does not report it' : 'The worker sends no reports';
  return (
    <dl class="usages">
      {USAGES.map(([name, usage]) => {
        const value = worker[usage];
        return (
          <div key={name} class="usage">
            <dt class="usage-name">{name}</dt>
            <dd>
              <meter min={0} max={100} high={90} value={value ?? 0} aria-hidden="true" />
            </dd>
            <dd class={value !== null && value >= 90 ? 'usage-value usage-high' : 'usage-value'}>
              {value === null ? <span title={missing}>–</span> : `${value} %`}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
