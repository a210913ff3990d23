import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';

/** An action on the cluster that awaits confirmation. */
export interface Confirmation {
  /** A question. */
  readonly title: string;
  /** What will happen. */
  readonly body: FunctionComponent;
  /** Text of the button that confirms. */
  readonly confirm: string;
  readonly tone?: 'primary' | 'danger';
  readonly wide?: boolean;
  /** Runs the action. Resolves with the result as a text for people; rejects with the error. */
  readonly run: () => Promise<string>;
}

/** The open question; null: none. */
export const pendingConfirmation = signal<Confirmation | null>(null);

/** Asks the operator and shows the result. */
export function confirmAction(confirmation: Confirmation): void {
  pendingConfirmation.value = confirmation;
}
