import { hasWords, wordsOf } from '../wording/words.js';

/** Something that the palette leads to or does. */
export interface Command {
  /** Differs from those of all other commands. */
  readonly id: string;
  readonly kind: 'Page' | 'Action' | 'Worker' | 'Camera' | 'Display';
  readonly label: string;
  /** What is wrong with it. */
  readonly problem?: string;
  /** Shown although nothing is typed. */
  readonly first?: boolean;
  /** The address that it leads to, or what it does. */
  readonly go: string | (() => void);
}

/** The palette lists at most so many commands. */
export const MAX_COMMANDS = 50;

/**
 * The commands with all words of the text, those that begin with it first. Without a text: the ones marked as `first`.
 * Commands of one rank stay in their order.
 */
export function findCommands(
  commands: Iterable<Command>,
  text: string,
): { readonly found: readonly Command[]; readonly more: number } {
  const typed = text.trim().toLowerCase();
  const words = wordsOf(text);
  const begin: Command[] = [];
  const others: Command[] = [];
  for (const command of commands) {
    const { label, first } = command;
    if (words.length === 0 ? first !== true : !hasWords(label, words)) continue;
    (label.toLowerCase().startsWith(typed) ? begin : others).push(command);
  }
  const all = [...begin, ...others];
  return { found: all.slice(0, MAX_COMMANDS), more: Math.max(0, all.length - MAX_COMMANDS) };
}

/** The place after a key, in a list that goes round; null: the key does not move it. */
export function moveInList(key: string, place: number, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case 'ArrowDown':
      return (place + 1) % count;
    case 'ArrowUp':
      return (place + count - 1) % count;
    case 'PageDown':
      return Math.min(count - 1, place + 10);
    case 'PageUp':
      return Math.max(0, place - 10);
    default:
      return null;
  }
}
