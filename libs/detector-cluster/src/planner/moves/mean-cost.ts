import type { UnitEntry } from '../units/unit-entry.js';

/** 0 when there are no units. */
export function meanCostOf(entries: readonly UnitEntry[]): number {
  let sum = 0;
  for (const { cost } of entries) sum += cost;
  return entries.length === 0 ? 0 : sum / entries.length;
}
