import { computed, signal } from '@preact/signals';
import { hrefInRange, parseRoute, routeHref, type PageName } from './route.js';

const hash = signal(window.location.hash);

/** The page and its parameters, read from the address. */
export const route = computed(() => parseRoute(hash.value));

/** Follows the address until the page closes. */
export function startRouter(): void {
  window.addEventListener('hashchange', () => (hash.value = window.location.hash));
}

/** Writes the parameters of a page into its address, without a history entry. */
export function replaceParameters(page: PageName, parameters: Readonly<Record<string, string>>): void {
  window.history.replaceState(null, '', routeHref(page, parameters));
  hash.value = window.location.hash;
}

/** The link with the time range of the address, if its page shows one. */
export function keepRange(href: string): string {
  return hrefInRange(href, route.value.parameters.range);
}
