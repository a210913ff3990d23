/** What was asked for makes no sense; the message names the flag and the remedy. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
