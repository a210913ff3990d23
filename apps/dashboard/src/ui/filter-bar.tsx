import type { ComponentChildren } from 'preact';
import './filter-bar.css';
import { SearchField } from './search-field.js';

export interface FilterBarProps {
  readonly label: string;
  /** Name of the search field. */
  readonly searches: string;
  readonly placeholder: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Further fields. */
  readonly children?: ComponentChildren;
}

/** Filters the list of a page by a text and by further fields. */
export function FilterBar({ label, searches, placeholder, text, onText, children }: FilterBarProps) {
  return (
    <div class="filter-bar" role="search" aria-label={label}>
      <SearchField label={searches} placeholder={placeholder} value={text} onChange={onText} />
      {children}
    </div>
  );
}
