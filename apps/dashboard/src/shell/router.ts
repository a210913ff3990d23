import { computed, signal } from '@preact/signals';
import { parseRoute, routeHref, type PageName } from './route.js';

const hash = signal(window.location.hash);

/** What is to be shown, by the address of the page. */
export const route = computed(() => parseRoute(hash.value));

/** Follows the address, until the page is gone. */
export function startRouter(): void {
  window.addEventListener('hashchange', () => (hash.value = window.location.hash));
}

/** Puts what a page shows into its address, without a step in the history. */
export function replaceParameters(page: PageName, parameters: Readonly<Record<string, string>>): void {
  window.history.replaceState(null, '', routeHref(page, parameters));
  hash.value = window.location.hash;
}
