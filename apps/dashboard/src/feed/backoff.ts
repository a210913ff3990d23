const LEAST = 250;
const FIRST = 500;
const MOST = 5_000;

/**
 * Milliseconds to wait before the next attempt: drawn between a floor and a bound that doubles, so that not all pages
 * reconnect at once after the service has restarted.
 *
 * @param failures consecutive failed attempts; from 1
 * @param random from 0 to less than 1
 */
export function backoff(failures: number, random: number): number {
  const bound = Math.min(MOST, FIRST * 2 ** (failures - 1));
  return Math.round(LEAST + random * bound);
}
