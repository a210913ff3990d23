/** The URL without the scheme and a trailing slash, which nearly all workers share. */
export function workerName(url: string): string {
  return url.replace(/^wss?:\/\//, '').replace(/\/$/, '');
}
