import { routeHref } from '../shell/route.js';

/** The address of a worker's page. */
export function workerHref(url: string): string {
  return routeHref('worker', { url });
}
