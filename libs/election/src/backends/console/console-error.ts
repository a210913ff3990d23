/** `ERROR` was typed into the console of an election. */
export class ConsoleError extends Error {
  override readonly name = 'ConsoleError';
  readonly code = 'CONSOLE_ERROR';

  constructor(message: string) {
    super(message || 'ERROR was typed');
  }
}
