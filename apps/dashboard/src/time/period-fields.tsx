import { HISTORY_RANGES, type HistoryRange } from '@detector-cluster/dashboard-protocol';
import { changeParameters, route } from '../shell/router.js';
import '../ui/filter-bar.css';
import { SelectField, type SelectFieldProps, type SelectOption } from '../ui/select-field.js';
import { RANGE_NAMES, fieldOf, instantInField, periodOf } from './period.js';

const OPTIONS = HISTORY_RANGES.map((range): SelectOption => [range, RANGE_NAMES[range]]);

export interface RangeSelectProps {
  /** Name of the choice without a range; left out: there is always one. */
  readonly none?: string;
  /** The range while the address has none. */
  readonly usual?: HistoryRange;
  /** Other parameters that change with it. */
  readonly also?: SelectFieldProps['also'];
}

/** Chooses the time range of a page. */
export function RangeSelect({ none, ...others }: RangeSelectProps) {
  return (
    <SelectField
      label="Time range"
      parameter="range"
      options={none === undefined ? OPTIONS : [['', none], ...OPTIONS]}
      {...others}
    />
  );
}

/** Chooses the period of a search: a range until now, or a begin and an end. Each replaces the other. */
export function PeriodFields() {
  const { from, to } = periodOf(route.value.parameters);
  return (
    <>
      <label class="period-field">
        <span>Time range</span>
        <RangeSelect none={from + to === '' ? 'Any time' : 'From and to'} also={{ from: '', to: '' }} />
      </label>
      <InstantField
        label="From"
        value={from}
        onChange={(chosen) => changeParameters({ range: '', from: chosen })}
      />
      <InstantField
        label="To"
        value={to}
        onChange={(chosen) => changeParameters({ range: '', to: chosen })}
      />
    </>
  );
}

interface InstantFieldProps {
  readonly label: string;
  /** ISO 8601; empty: none. */
  readonly value: string;
  readonly onChange: (iso: string) => void;
}

function InstantField({ label, value, onChange }: InstantFieldProps) {
  return (
    <label class="period-field">
      <span>{label}</span>
      <input
        type="datetime-local"
        step={1}
        value={fieldOf(value)}
        onChange={({ currentTarget }) => onChange(instantInField(currentTarget.value))}
      />
    </label>
  );
}
