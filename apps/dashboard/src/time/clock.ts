import { signal } from '@preact/signals';

/** The time by the clock of this machine, in milliseconds since 1970; moves on once a second. */
export const now = signal(Date.now());

/** Lets the clock run, until the page is gone. */
export function startClock(): void {
  window.setInterval(() => (now.value = Date.now()), 1_000);
}
