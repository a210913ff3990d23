import { computed, signal } from '@preact/signals';

const page = signal(Date.now());
const skew = signal(0);

/** The time by this machine's clock, in milliseconds since 1970; updated once a second. */
export const pageNow = computed(() => page.value);

/** The estimated time by the service's clock, to compare with the times that the service sends. */
export const now = computed(() => page.value - skew.value);

/** Runs the clock until the page closes. */
export function startClock(): void {
  window.setInterval(() => (page.value = Date.now()), 1_000);
}

/** Call it when a message has arrived that the service has just sent. */
export function noteServiceTime(iso: string): void {
  skew.value = skewOf(Date.now(), Date.parse(iso));
}

/** A message takes some time to arrive, so a difference up to this value is not skew. Milliseconds. */
const TRAVEL = 2_000;

/** How far this machine's clock is ahead of the other one, in milliseconds; 0 if the transit of a message explains it. */
export function skewOf(here: number, there: number): number {
  const difference = here - there;
  return Math.abs(difference) > TRAVEL ? difference : 0;
}
