import {
  checkCandidateLog,
  checkHistory,
  grantsOfLog,
  type GuardedWrite,
} from '@detector-cluster/election/testing';
import { isCandidateEvent, type JournalEntry } from './journal-entry.js';

/**
 * What is wrong with the history of an election.
 *
 * @param accepted Writes that the resource took, in its order: `<term> <candidate>`.
 */
export function verdict(entries: readonly JournalEntry[], accepted: readonly string[]): string[] {
  const logs = new Map<string, Extract<JournalEntry, { kind: 'granted' | 'acted' | 'acquired' }>[]>();
  const problems: string[] = [];
  const refused: GuardedWrite[] = [];
  for (const entry of entries) {
    if (isCandidateEvent(entry)) {
      const log = logs.get(entry.owner);
      if (log) log.push(entry as never);
      else logs.set(entry.owner, [entry as never]);
    } else if (entry.kind === 'crashed') problems.push(`${entry.owner} crashed: ${entry.error}`);
    else if (entry.kind === 'refused') refused.push({ ...entry, accepted: false });
  }
  const written = accepted.map((line) => {
    const [term, owner] = line.split(' ');
    return { owner: owner!, term: Number(term), accepted: true };
  });
  if (written.length === 0) problems.push('no leader wrote anything');
  const all = [...logs.values()];
  return [
    ...problems,
    ...all.flatMap((log) => checkCandidateLog(log)),
    ...checkHistory(
      all.flatMap((log) => grantsOfLog(log)),
      [...written, ...refused],
    ),
  ];
}
