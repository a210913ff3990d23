/** Events in a candidate's journal: it competes, it was elected, it acted as leader. */
export type JournalEvent = 'joined' | 'elected' | 'wrote';

/** One line of a journal. Lines of all processes are in the order of their writes. */
export interface JournalEntry {
  /** Milliseconds on the clock that all processes share. */
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
