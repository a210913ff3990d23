import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';

/** Something that changes the cluster, before it is done. */
export interface Confirmation {
  /** A question. */
  readonly title: string;
  /** What will happen. */
  readonly body: FunctionComponent;
  /** On the button that goes ahead: what it does. */
  readonly confirm: string;
  readonly tone?: 'primary' | 'danger';
  readonly wide?: boolean;
  /** Does it. Resolves with what has happened, for people; rejects with what has gone wrong. */
  readonly run: () => Promise<string>;
}

/** What is being asked; null: nothing. */
export const pendingConfirmation = signal<Confirmation | null>(null);

/** Asks the operator; whatever comes of it is shown. */
export function confirmAction(confirmation: Confirmation): void {
  pendingConfirmation.value = confirmation;
}
