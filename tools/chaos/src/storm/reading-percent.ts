import type { TransactionTimes } from './transaction-recorder.js';

/** After a read that takes longer than this, the next one always follows after 500 ms. Milliseconds. */
const LONGEST_COUNTED = 100;

/**
 * Percent of the time between the first and the last start that was spent on reading. The last transaction does not count,
 * because the pause after it is unknown. 0 with fewer than two transactions.
 */
export function readingPercent(transactions: readonly TransactionTimes[]): number {
  const before = transactions.slice(0, -1);
  const [first, last] = [transactions[0], transactions.at(-1)];
  if (before.length === 0 || first === undefined || last === undefined) return 0;
  const reading = before.reduce(
    (sum, { begin, end }) => sum + Math.min((end ?? last.begin) - begin, LONGEST_COUNTED),
    0,
  );
  return Math.round((100 * reading) / Math.max(1, last.begin - first.begin));
}
