/** `ERROR` was typed into the console of an election. */
export class ConsoleError extends Error {
  override readonly name = 'ConsoleError';
  readonly code = 'CONSOLE_ERROR';

  constructor(message: string) {
    super(message || 'ERROR was typed');
  }
}

/** What can be typed. */
export const CONSOLE_COMMANDS = 'LEADER [term], NOTLEADER [leader [term]] or ERROR [message]';

export type ConsoleCommand =
  | { readonly kind: 'leader'; readonly term: number | undefined }
  | { readonly kind: 'follower'; readonly leaderId: string | null; readonly term: number | undefined }
  | { readonly kind: 'error'; readonly message: string };

/** Reads a line, in upper or lower case; `undefined` when it is not a command. */
export function parseConsoleCommand(line: string): ConsoleCommand | undefined {
  const [word = '', ...rest] = line.trim().split(/\s+/);
  switch (word.toUpperCase()) {
    case 'LEADER': {
      const term = parseTerm(rest[0]);
      return term === null || rest.length > 1 ? undefined : { kind: 'leader', term };
    }
    case 'NOTLEADER': {
      const term = parseTerm(rest[1]);
      return term === null || rest.length > 2
        ? undefined
        : { kind: 'follower', leaderId: rest[0] ?? null, term };
    }
    case 'ERROR':
      return { kind: 'error', message: rest.join(' ') };
    default:
      return undefined;
  }
}

function parseTerm(text: string | undefined): number | undefined | null {
  if (text === undefined) return undefined;
  const term = Number(text);
  return Number.isSafeInteger(term) && term > 0 ? term : null;
}
