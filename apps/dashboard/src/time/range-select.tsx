import type { HistoryRange } from '@detector-cluster/dashboard-protocol';
import { SelectField, type SelectOption } from '../ui/select-field.js';
import { RANGE_NAMES, RANGES } from './time-range.js';

export interface RangeSelectProps {
  readonly range: HistoryRange | null;
  /** Name of the choice without a range; left out: there is always one. */
  readonly none?: string;
  readonly onChange: (range: HistoryRange | '') => void;
}

const OPTIONS = RANGES.map((range): SelectOption<HistoryRange> => [range, RANGE_NAMES[range]]);

/** Chooses the time range of a page. */
export function RangeSelect({ range, none, onChange }: RangeSelectProps) {
  return (
    <SelectField
      label="Time range"
      value={range ?? ''}
      options={none === undefined ? OPTIONS : [['', none], ...OPTIONS]}
      onChange={onChange}
    />
  );
}
