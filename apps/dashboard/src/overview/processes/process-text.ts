import type { ProcessRow, Rows } from '@detector-cluster/dashboard-protocol';
import { instantOf } from '../../time/instant.js';

/** Length of the part of an id that distinguishes processes. */
const SUFFIX = 4;

/** Names for people by `processId`: the identifier, plus the end of the id if several processes have the same one. */
export function processNames(processes: Rows<ProcessRow>): ReadonlyMap<string, string> {
  const rows = Object.values(processes);
  const count = new Map<string, number>();
  for (const { identifier } of rows) count.set(identifier, (count.get(identifier) ?? 0) + 1);
  return new Map(
    rows.map(({ processId, identifier }) => [
      processId,
      count.get(identifier) === 1 ? identifier : `${identifier} …${processId.slice(-SUFFIX)}`,
    ]),
  );
}

/** The name of a process; its id if the process is gone. */
export function processName(names: ReadonlyMap<string, string>, processId: string): string {
  return names.get(processId) ?? processId;
}

/** Ascending numbers as text, with consecutive ones as a range: `0–4, 7`. */
export function formatRanges(numbers: readonly number[]): string {
  const ranges: { readonly first: number; last: number }[] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range?.last === number - 1) range.last = number;
    else ranges.push({ first: number, last: number });
  }
  return ranges.map(({ first, last }) => (first === last ? String(first) : `${first}–${last}`)).join(', ');
}

/** Starts that are further apart do not belong to one rolling restart. Milliseconds. */
export const START_GAP = 600_000;

/** A single start may follow a crash. */
const FEWEST_STARTS = 2;

export interface RestartProgress {
  readonly restarted: number;
  readonly total: number;
}

/**
 * How far a rolling restart has come: several processes started one after another until now, and others run since before.
 * Null when that is not so.
 * @param now by the service's clock, milliseconds since 1970
 */
export function restartProgress(
  processes: readonly Pick<ProcessRow, 'startedAt'>[],
  now: number,
): RestartProgress | null {
  const newestFirst = processes
    .map(({ startedAt }) => instantOf(startedAt))
    .filter((start) => start !== null)
    .sort((a, b) => b - a);
  const end = newestFirst.findIndex((start, index) => (newestFirst[index - 1] ?? now) - start >= START_GAP);
  const restarted = end === -1 ? newestFirst.length : end;
  const total = processes.length;
  return restarted < FEWEST_STARTS || restarted === total ? null : { restarted, total };
}
