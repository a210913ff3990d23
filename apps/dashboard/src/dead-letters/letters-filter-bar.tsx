import { periodOf } from '../time/period.js';
import { PeriodFields } from '../time/period-fields.js';
import '../ui/filter-bar.css';
import { SearchField } from '../ui/search-field.js';
import { AUDIENCES, isNewestFirst } from './letters-filter.js';

export interface LettersFilterBarProps {
  readonly parameters: Readonly<Record<string, string>>;
  readonly onChange: (part: Readonly<Record<string, string>>) => void;
}

/** Filters and sorts the dead letters. */
export function LettersFilterBar({ parameters, onChange }: LettersFilterBarProps) {
  const { text = '', camera = '', worker = '', audience = '' } = parameters;
  return (
    <div class="filter-bar letters-filter" role="search" aria-label="Filter dead letters">
      <SearchField
        label="Text in the error"
        placeholder="Error"
        value={text}
        onChange={(changed) => onChange({ text: changed })}
      />
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
      <select
        aria-label="What failed"
        value={audience}
        onChange={({ currentTarget }) => onChange({ audience: currentTarget.value })}
      >
        <option value="">All callbacks</option>
        {Object.entries(AUDIENCES).map(([name, words]) => (
          <option key={name} value={name}>
            Only {words}
          </option>
        ))}
      </select>
      <select
        aria-label="Order"
        value={isNewestFirst(parameters) ? 'newest' : ''}
        onChange={({ currentTarget }) => onChange({ sort: currentTarget.value })}
      >
        <option value="">Oldest first</option>
        <option value="newest">Newest first</option>
      </select>
      <PeriodFields period={periodOf(parameters)} onChange={onChange} />
    </div>
  );
}
