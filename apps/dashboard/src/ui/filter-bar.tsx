import type { ComponentChildren } from 'preact';
import './filter-bar.css';
import { SearchField } from './search-field.js';

export interface FilterBarProps {
  readonly label: string;
  /** Name of the search field. */
  readonly searches: string;
  readonly placeholder: string;
  /** Of the page's address: has the text. Default `text`. */
  readonly parameter?: string;
  /** Further fields. */
  readonly children?: ComponentChildren;
}

/** Filters the list of a page by a text and by further fields. */
export function FilterBar({ label, searches, placeholder, parameter = 'text', children }: FilterBarProps) {
  return (
    <div class="filter-bar" role="search" aria-label={label}>
      <SearchField label={searches} placeholder={placeholder} parameter={parameter} />
      {children}
    </div>
  );
}
