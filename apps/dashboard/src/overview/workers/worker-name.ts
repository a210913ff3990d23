/** The URL without what is the same for nearly all of them: the scheme and a slash at the end. */
export function workerName(url: string): string {
  return url.replace(/^wss?:\/\//, '').replace(/\/$/, '');
}
