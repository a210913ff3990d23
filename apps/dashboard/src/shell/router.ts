import { computed, signal } from '@preact/signals';
import { hrefInRange, parseRoute, routeHref } from './route.js';

const hash = signal(window.location.hash);

/** The page and its parameters, read from the address. */
export const route = computed(() => parseRoute(hash.value));

/** Follows the address until the page closes. */
export function startRouter(): void {
  window.addEventListener('hashchange', () => (hash.value = window.location.hash));
}

/** Changes parameters of the page in its address, without a history entry. The others stay; empty ones are left out. */
export function changeParameters(part: Readonly<Record<string, string>>): void {
  const { page, parameters } = route.peek();
  window.history.replaceState(null, '', routeHref(page, { ...parameters, ...part }));
  hash.value = window.location.hash;
}

/** The link with the time range of the address, if its page shows one. */
export function keepRange(href: string): string {
  return hrefInRange(href, route.value.parameters.range);
}
