/** What a candidate notes: it competes, it was elected, it acted as leader. */
export type JournalEvent = 'joined' | 'elected' | 'wrote';

/** One line of a journal. Lines are in the order in which all processes wrote them. */
export interface JournalEntry {
  /** On the clock that all processes share, in milliseconds. */
  readonly at: number;
  /** Process id of the candidate. */
  readonly pid: number;
  readonly event: JournalEvent;
}

export function formatEntry({ at, pid, event }: JournalEntry): string {
  return `${at} ${pid} ${event}\n`;
}

export function parseEntry(line: string): JournalEntry {
  const [at, pid, event] = line.split(' ');
  return { at: Number(at), pid: Number(pid), event: event as JournalEvent };
}
