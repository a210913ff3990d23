import type { WorkerScore } from '../api/cluster-types.js';
import { Badge } from '../ui/badge.js';
import { textOf } from '../wording/phrase.js';
import { WorkerLink } from '../worker/worker-link.js';
import { REJECTIONS } from './plan-text.js';
import './plan.css';

const COMPONENTS = [
  ['allocation', 'Allocation'],
  ['cpu', 'CPU'],
  ['memory', 'Memory'],
  ['gpu', 'GPU'],
  ['gpuMemory', 'GPU memory'],
] as const;

/** The load of each worker after the plan. */
export function WorkerScores({ scores }: { readonly scores: readonly WorkerScore[] }) {
  return (
    <section class="section" aria-label="Workers after the plan">
      <div class="section-header">
        <h2>Workers after the plan</h2>
        <p class="muted">The load is the weighted sum of the known figures.</p>
      </div>
      {scores.length === 0 ? (
        <p class="muted">There are no workers.</p>
      ) : (
        <div class="panel table-scroll" tabIndex={0} role="region" aria-label="Loads">
          <table class="table">
            <caption class="hidden-visually">Load of each worker after the plan, with its components</caption>
            <thead>
              <tr>
                <th scope="col">Worker</th>
                <th scope="col">Load</th>
                <th scope="col" class="number">
                  Allocated
                </th>
                {COMPONENTS.map(([name, title]) => (
                  <th key={name} scope="col" class="number">
                    {title}
                  </th>
                ))}
                <th scope="col">Takes cameras</th>
              </tr>
            </thead>
            <tbody>
              {scores.map(({ url, load, allocated, capacity, components, rejects }) => (
                <tr key={url}>
                  <th scope="row">
                    <WorkerLink url={url} />
                  </th>
                  <td>
                    <LoadBar load={load} />
                  </td>
                  <td class="number">
                    {rounded(allocated)} / {rounded(capacity)}
                  </td>
                  {COMPONENTS.map(([name]) => (
                    <td key={name} class="number">
                      {share(components[name])}
                    </td>
                  ))}
                  <td>
                    {rejects === null ? (
                      <Badge tone="ok">Yes</Badge>
                    ) : (
                      <Badge tone="warn">No: {textOf(REJECTIONS, rejects)}</Badge>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function share(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : `${Math.round(value * 100)} %`;
}

function rounded(value: number): string {
  return value.toLocaleString('en-GB', { maximumFractionDigits: 2 });
}

/** A load as a bar and a number; above 1 it exceeds a limit. */
export function LoadBar({ load }: { readonly load: number }) {
  const shown = Math.max(0, Math.min(1, load));
  return (
    <span class={load > 1 ? 'load-bar load-bar-over' : 'load-bar'}>
      <span class="load-bar-track" aria-hidden="true">
        <span class="load-bar-fill" style={{ inlineSize: `${shown * 100}%` }} />
      </span>
      <span class="load-bar-number">{percent(load)}</span>
    </span>
  );
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
