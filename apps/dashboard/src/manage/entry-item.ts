import type { Entry, Item } from '../api/entries-api.js';
import { isCrop, type EntryKind, type Field } from './kinds.js';

/** The texts of a form, by field. */
export type Values = Readonly<Record<string, string>>;

/** What the form of an entry shows at first. Secrets stay empty. */
export function valuesOf({ fields }: EntryKind, entry: Entry | null): Values {
  return Object.fromEntries(
    fields.map((field) => [
      field.name,
      field.type === 'secret' || entry === null ? '' : textOf(entry[field.name]),
    ]),
  );
}

export interface Cleared {
  /** Secrets that are to be removed. */
  readonly cleared: ReadonlySet<string>;
}

/**
 * The item that changes an entry to what the form says, with its version; null: nothing was changed. Only changed fields are in
 * it, so that a change of another field by someone else is kept.
 */
export function itemOf(
  kind: EntryKind,
  entry: Entry | null,
  values: Values,
  { cleared }: Cleared,
): Item | null {
  const changed = kind.fields.filter((field) => isChanged(field, entry, values, cleared));
  if (changed.length === 0) return null;
  const crop = changed.some(isCrop) ? kind.fields.filter(isCrop) : [];
  const fields = new Set([...changed, ...crop]);
  const { pathKey } = kind;
  const identity = entry === null ? {} : { [pathKey]: entry[pathKey], etag: entry.etag };
  return {
    ...identity,
    ...Object.fromEntries([...fields].map((field) => [field.name, valueOf(field, values, cleared)])),
  };
}

function isChanged(field: Field, entry: Entry | null, values: Values, cleared: ReadonlySet<string>): boolean {
  const text = values[field.name]?.trim() ?? '';
  if (field.type === 'secret') return text !== '' || cleared.has(field.name);
  return text !== (entry === null ? '' : textOf(entry[field.name]));
}

function valueOf(field: Field, values: Values, cleared: ReadonlySet<string>): unknown {
  const text = values[field.name]?.trim() ?? '';
  if (field.type === 'secret' && text === '' && cleared.has(field.name)) return null;
  return fieldValue(field, text) ?? (field.type === 'text' ? '' : null);
}

/** The value that the API wants for a text; undefined: the text is empty. */
export function fieldValue(field: Field, text: string): unknown {
  if (text === '') return undefined;
  const isNumber = field.type === 'number' || (field.type === 'reference' && field.key === 'id');
  // Anything else goes as it is, and the service says what is wrong with it.
  return isNumber && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}
