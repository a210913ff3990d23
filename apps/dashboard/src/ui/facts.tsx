import { Fragment, type ComponentChildren } from 'preact';
import './ui.css';

export interface FactsProps {
  /** Name → value, in this order. A value that is missing or false has no line. */
  readonly of: Readonly<Record<string, ComponentChildren>>;
}

/** What is known of one thing. */
export function Facts({ of }: FactsProps) {
  return (
    <dl class="facts">
      {Object.entries(of).map(
        ([name, value]) =>
          value != null &&
          value !== false && (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}
