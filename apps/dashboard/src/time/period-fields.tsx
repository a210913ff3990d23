import { fieldOf, instantInField, type Period } from './period.js';
import './period-fields.css';
import { RangeSelect } from './range-select.js';

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
      <RangeSelect
        range={range}
        none={from + to === '' ? 'Any time' : 'From and to'}
        onChange={(chosen) => onChange({ range: chosen, from: '', to: '' })}
      />
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
    <label class="instant-field">
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
