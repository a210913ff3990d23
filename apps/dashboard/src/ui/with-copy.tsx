import type { ComponentChildren } from 'preact';
import { CopyButton } from './copy-button.js';
import './with-copy.css';

export interface WithCopyProps {
  readonly id: string;
  /** What shows the id, e.g. a link. */
  readonly children: ComponentChildren;
}

/** An id beside a button that copies it. */
export function WithCopy({ id, children }: WithCopyProps) {
  return (
    <div class="with-copy">
      {children}
      <CopyButton text={id} what={id} />
    </div>
  );
}
