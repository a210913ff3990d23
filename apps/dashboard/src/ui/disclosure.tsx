import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import './ui.css';

export interface DisclosureProps {
  readonly summary: ComponentChildren;
  /** Renders the hidden content only when it is opened: lists have hundreds of these. */
  readonly children: () => ComponentChildren;
}

export function Disclosure({ summary, children }: DisclosureProps) {
  const [open, setOpen] = useState(false);
  return (
    <details class="disclosure" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {open && <div class="disclosure-body">{children()}</div>}
    </details>
  );
}
