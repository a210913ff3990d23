import { computed, signal } from '@preact/signals';
import { skewOf } from './skew.js';

const page = signal(Date.now());
const skew = signal(0);

/** The time by the clock of this machine, in milliseconds since 1970; moves on once a second. */
export const pageNow = computed(() => page.value);

/** The time by the clock of the service, as far as it is known: what the times that it tells are compared with. */
export const now = computed(() => page.value - skew.value);

/** Lets the clock run, until the page is gone. */
export function startClock(): void {
  window.setInterval(() => (page.value = Date.now()), 1_000);
}

/** A message has come that the service has sent just now. */
export function noteServiceTime(iso: string): void {
  skew.value = skewOf(Date.now(), Date.parse(iso));
}
