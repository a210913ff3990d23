import type { ComponentChildren } from 'preact';
import { CameraLink } from '../cameras/camera-card.js';
import { Section } from '../ui/page.js';
import { useFirst } from '../ui/use-first.js';
import './plan.css';

/** How many more entries each click shows. */
const STEP = 50;

export interface PlanListProps<T> {
  readonly title: string;
  readonly items: readonly T[];
  /** Number of entries that the answer omits. */
  readonly omitted: number;
  readonly row: (item: T) => {
    readonly camera: string;
    readonly where: ComponentChildren;
    readonly what: ComponentChildren;
  };
}

/** A list of a plan: camera, workers and action. An empty one is not shown. */
export function PlanList<T>({ title, items, omitted, row }: PlanListProps<T>) {
  const { shown, more } = useFirst(items, STEP, 'entries');
  const total = items.length + omitted;
  if (total === 0) return null;
  return (
    <Section title={title} note={total.toLocaleString('en-GB')}>
      <div class="panel">
        <ul class="plan-list">
          {shown.map((item, index) => {
            const { camera, where, what } = row(item);
            return (
              <li key={index}>
                <span class="plan-camera">
                  <CameraLink cameraId={camera} />
                </span>
                {where !== null && <span class="plan-where">{where}</span>}
                <span class="plan-what" dir="auto">
                  {what}
                </span>
              </li>
            );
          })}
        </ul>
        {omitted > 0 && (
          <p class="plan-more muted">
            {omitted.toLocaleString('en-GB')} more are not listed: the answer contains the first{' '}
            {items.length.toLocaleString('en-GB')}.
          </p>
        )}
      </div>
      {more}
    </Section>
  );
}
