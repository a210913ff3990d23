import type { HistoryRange } from '@detector-cluster/dashboard-protocol';
import '../ui/filter-bar.css';
import { SelectField, type SelectOption } from '../ui/select-field.js';
import { RANGE_NAMES, RANGES, fieldOf, instantInField, type Period } from './period.js';

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

export interface PeriodFieldsProps {
  readonly period: Period;
  /** Gets all three parameters of the address. A range replaces both times, and a time replaces the range. */
  readonly onChange: (parameters: Readonly<Record<'range' | 'from' | 'to', string>>) => void;
}

/** Chooses the period of a search: a range until now, or a begin and an end. */
export function PeriodFields({ period, onChange }: PeriodFieldsProps) {
  const { range, from, to } = period;
  return (
    <>
      <label class="period-field">
        <span>Time range</span>
        <RangeSelect
          range={range}
          none={from + to === '' ? 'Any time' : 'From and to'}
          onChange={(chosen) => onChange({ range: chosen, from: '', to: '' })}
        />
      </label>
      <InstantField
        label="From"
        value={from}
        onChange={(chosen) => onChange({ range: '', from: chosen, to })}
      />
      <InstantField label="To" value={to} onChange={(chosen) => onChange({ range: '', from, to: chosen })} />
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
