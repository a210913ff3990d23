import { useEffect, useRef, useState } from 'preact/hooks';
import { changeParameters, route } from '../shell/router.js';
import './filter-bar.css';
import { Icon } from './icon.js';

/** The search begins this long after the last key. Milliseconds. */
const PAUSE = 150;

export interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  /** Of the page's address: gets the text after a short pause. */
  readonly parameter: string;
}

export function SearchField({ label, placeholder, parameter }: SearchFieldProps) {
  const value = route.value.parameters[parameter] ?? '';
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    if (typed === sent.current) return undefined;
    const timer = window.setTimeout(() => {
      sent.current = typed;
      changeParameters({ [parameter]: typed });
    }, PAUSE);
    return () => window.clearTimeout(timer);
  }, [typed]);
  return (
    <label class="search-field">
      <span class="hidden-visually">{label}</span>
      <Icon name="search" />
      <input
        type="search"
        value={typed}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </label>
  );
}
