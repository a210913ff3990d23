import type { HistoryRange } from '@detector-cluster/dashboard-protocol';
import { RANGE_NAMES, RANGES } from './time-range.js';

export interface RangeSelectProps {
  readonly range: HistoryRange | null;
  /** Name of the choice without a range; left out: there is always one. */
  readonly none?: string;
  readonly onChange: (range: HistoryRange | '') => void;
}

/** Chooses the time range of a page. */
export function RangeSelect({ range, none, onChange }: RangeSelectProps) {
  return (
    <select
      aria-label="Time range"
      value={range ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value as HistoryRange | '')}
    >
      {none !== undefined && <option value="">{none}</option>}
      {RANGES.map((one) => (
        <option key={one} value={one}>
          {RANGE_NAMES[one]}
        </option>
      ))}
    </select>
  );
}
