import type { CandidateEvent } from '@detector-cluster/election/testing';

interface Line {
  /** Id of the candidate. */
  readonly owner: string;
  /** Milliseconds on the clock that all processes of a machine share. */
  readonly at: number;
}

/** One line of the journal of an election, written by a candidate. The order of lines is that of the system calls. */
export type JournalEntry =
  | (CandidateEvent & { readonly reason?: string; readonly leaseUntil?: number })
  | (Line & { readonly kind: 'follower'; readonly leaderId: string | null; readonly term: number })
  | (Line & { readonly kind: 'refused'; readonly term: number })
  | (Line & { readonly kind: 'warned'; readonly message: string })
  | (Line & { readonly kind: 'failed' | 'crashed'; readonly error: string })
  | (Line & { readonly kind: 'blocked'; readonly duration: number })
  | (Line & { readonly kind: 'noticed'; readonly event: string })
  | (Line & { readonly kind: 'joined' | 'ended' | 'unblocked' });

/** The entries that can be of a kind. */
export type EntryOf<Kind extends JournalEntry['kind'], Entry = JournalEntry> = Entry extends {
  kind: infer Kinds;
}
  ? Kind extends Kinds
    ? Entry
    : never
  : never;

const OF_CANDIDATE: ReadonlySet<string> = new Set<CandidateEvent['kind']>([
  'granted',
  'acquired',
  'suspended',
  'resumed',
  'lost',
  'acted',
]);

/** Whether the checker of histories knows it. */
export function isCandidateEvent(entry: JournalEntry): entry is Extract<JournalEntry, CandidateEvent> {
  return OF_CANDIDATE.has(entry.kind);
}
