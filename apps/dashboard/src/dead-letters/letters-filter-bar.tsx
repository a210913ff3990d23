import { PeriodFields } from '../time/period-fields.js';
import { periodOf } from '../time/period.js';
import { FilterBar } from '../ui/filter-bar.js';
import { SearchField } from '../ui/search-field.js';
import { SelectField, type SelectOption } from '../ui/select-field.js';
import { AUDIENCES, isNewestFirst } from './letters-filter.js';

export interface LettersFilterBarProps {
  readonly parameters: Readonly<Record<string, string>>;
  readonly onChange: (part: Readonly<Record<string, string>>) => void;
}

const AUDIENCE_OPTIONS: readonly SelectOption<string>[] = [
  ['', 'All callbacks'],
  ...Object.entries(AUDIENCES).map(([name, words]): SelectOption<string> => [name, `Only ${words}`]),
];

const ORDER_OPTIONS: readonly SelectOption<'' | 'newest'>[] = [
  ['', 'Oldest first'],
  ['newest', 'Newest first'],
];

/** Filters and sorts the dead letters. */
export function LettersFilterBar({ parameters, onChange }: LettersFilterBarProps) {
  const { text = '', camera = '', worker = '', audience = '' } = parameters;
  return (
    <FilterBar
      label="Filter dead letters"
      class="letters-filter"
      searches="Text in the error"
      placeholder="Error"
      text={text}
      onText={(changed) => onChange({ text: changed })}
    >
      <SearchField
        label="Camera"
        placeholder="Camera, exact name"
        value={camera}
        onChange={(changed) => onChange({ camera: changed })}
      />
      <SearchField
        label="Worker"
        placeholder="Worker"
        value={worker}
        onChange={(changed) => onChange({ worker: changed })}
      />
      <SelectField
        label="What failed"
        value={audience}
        options={AUDIENCE_OPTIONS}
        onChange={(chosen) => onChange({ audience: chosen })}
      />
      <SelectField
        label="Order"
        value={isNewestFirst(parameters) ? 'newest' : ''}
        options={ORDER_OPTIONS}
        onChange={(chosen) => onChange({ sort: chosen })}
      />
      <PeriodFields period={periodOf(parameters)} onChange={onChange} />
    </FilterBar>
  );
}
