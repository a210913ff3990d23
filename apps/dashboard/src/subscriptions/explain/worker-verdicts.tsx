import type { WorkerVerdict } from '../../api/cluster-types.js';
import { LoadBar } from '../../plan/load-bar.js';
import { REJECTIONS } from '../../plan/plan-text.js';
import { Badge } from '../../ui/badge.js';
import { textOf } from '../../wording/texts.js';
import { WorkerLink } from '../../worker/worker-link.js';

export interface WorkerVerdictsProps {
  readonly workers: readonly WorkerVerdict[];
  /** Where it runs. */
  readonly workerUrl: string | null;
}

/** Each worker as a candidate for one camera. */
export function WorkerVerdicts({ workers, workerUrl }: WorkerVerdictsProps) {
  if (workers.length === 0) return <p class="muted">There are no workers.</p>;
  return (
    <div class="panel table-scroll" tabIndex={0} role="region" aria-label="Workers">
      <table class="table">
        <caption class="hidden-visually">Workers: those that can take it first, best first</caption>
        <thead>
          <tr>
            <th scope="col">Worker</th>
            <th scope="col">Load with this camera</th>
            <th
              scope="col"
              class="number"
              title="Load minus the preference for the worker. The lowest value wins."
            >
              Score
            </th>
            <th scope="col">Can take it</th>
          </tr>
        </thead>
        <tbody>
          {workers.map(({ url, load, rejections, score }) => (
            <tr key={url}>
              <th scope="row">
                <WorkerLink url={url} />
                {url === workerUrl && <Badge tone="info">Runs here</Badge>}
              </th>
              <td>
                <LoadBar load={load} />
              </td>
              <td class="number">{score.toFixed(3)}</td>
              <td dir="auto">
                {rejections.length === 0 ? (
                  <Badge tone="ok">Yes</Badge>
                ) : (
                  `No: ${rejections.map((reason) => textOf(REJECTIONS, reason)).join(', ')}`
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
