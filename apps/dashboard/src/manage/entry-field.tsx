import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { entriesApi, type Entry } from '../api/entries-api.js';
import { kindOf, type Field } from './kinds.js';

/** How many entries a field that refers to others suggests. */
const SUGGESTED = 50;

/** The suggestions follow the last key after this time. Milliseconds. */
const PAUSE = 200;

export interface EntryFieldProps {
  readonly field: Field;
  readonly entry: Entry | null;
  readonly value: string;
  /** Gets the focus when its dialog opens. */
  readonly first: boolean;
  /** It cannot be changed. */
  readonly fixed: boolean;
  readonly problem: string | null;
  /** The stored secret is to be removed. */
  readonly cleared: boolean;
  readonly onInput: (text: string) => void;
  readonly onClear: (clear: boolean) => void;
}

/** A field of a form, with its hint and its problem. */
export function EntryField(props: EntryFieldProps) {
  const { field, entry, value, first, fixed, problem, cleared, onInput, onClear } = props;
  const id = useId();
  const stored = field.type === 'secret' && entry !== null ? entry[field.name] : null;
  const hasStored = typeof stored === 'string';
  const hint = hintOf(field, hasStored);
  const described = [hint !== null && `${id}-hint`, problem !== null && `${id}-problem`].filter(Boolean);
  return (
    <div class="entry-field">
      <label for={id}>
        {field.label}
        {field.required === true && !hasStored && <span class="muted"> (required)</span>}
      </label>
      <input
        id={id}
        name={field.name}
        data-first={first || undefined}
        value={value}
        readOnly={fixed}
        inputMode={field.type === 'number' ? 'numeric' : undefined}
        list={field.type === 'reference' ? `${id}-list` : undefined}
        placeholder={hasStored ? stored : undefined}
        autoComplete="off"
        spellcheck={false}
        aria-required={field.required === true && !hasStored}
        aria-invalid={problem !== null}
        aria-describedby={described.length > 0 ? described.join(' ') : undefined}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      {field.type === 'reference' && <Suggestions id={`${id}-list`} field={field} text={value} />}
      {hint !== null && (
        <p id={`${id}-hint`} class="muted entry-note">
          {hint}
        </p>
      )}
      {problem !== null && (
        <p id={`${id}-problem`} class="entry-problem">
          {field.label} {problem}
        </p>
      )}
      {hasStored && field.required !== true && (
        <label class="entry-clear">
          <input
            type="checkbox"
            checked={cleared}
            onChange={({ currentTarget }) => onClear(currentTarget.checked)}
          />{' '}
          Remove the stored {field.label.toLowerCase().replace('url', 'URL')}
        </label>
      )}
    </div>
  );
}

function hintOf(field: Field, hasStored: boolean): string | null {
  if (hasStored) return 'Leave it empty to keep the stored URL. Its secrets are not shown.';
  return field.hint ?? null;
}

interface SuggestionsProps {
  readonly id: string;
  readonly field: Field & { readonly type: 'reference' };
  readonly text: string;
}

/** Entries that the field may refer to. An entry with a number is found by its name, and its number is filled in. */
function Suggestions({ id, field, text }: SuggestionsProps) {
  const found = useSignal<readonly Entry[]>([]);
  const { nameKey } = kindOf(field.to);
  const byNumber = field.key === 'id';
  useEffect(() => {
    let gone = false;
    const ask = async () => {
      // A number names an entry already.
      const query = byNumber && /^\d+$/.test(text) ? {} : { text };
      const page = await entriesApi.list(field.to, { ...query, limit: SUGGESTED, sort: nameKey });
      if (!gone) found.value = page.items;
    };
    // Without suggestions the field still takes what is typed.
    const timer = window.setTimeout(() => void ask().catch(() => undefined), PAUSE);
    return () => {
      gone = true;
      window.clearTimeout(timer);
    };
  }, [field.to, text, byNumber, nameKey]);
  return (
    <datalist id={id}>
      {found.value.map((entry) => (
        <option key={String(entry[field.key])} value={String(entry[field.key])}>
          {String(entry[nameKey])}
        </option>
      ))}
    </datalist>
  );
}
