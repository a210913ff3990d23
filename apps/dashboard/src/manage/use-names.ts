import { entriesApi } from '../api/entries-api.js';
import { useLoaded } from '../api/use-answer.js';
import { kindOf, type EntryKind, type Field } from './kinds.js';

/** Only so many names are read; an entry beyond them is shown by its number. */
const MAX_NAMES = 200;

/** What a value of a reference is called: `Cars and people` for the number of a playlist. A value without a known name is its own. */
export type NameOf = (field: string, value: unknown) => string;

type Reference = Field & { readonly type: 'reference' };

/** Reads the names of the entries that entries of a kind refer to by number. */
export function useNames({ fields }: EntryKind): NameOf {
  const references = fields.filter(
    (field): field is Reference => field.type === 'reference' && field.key === 'id',
  );
  const answer = useLoaded(
    () =>
      Promise.all(
        references.map(async ({ name, to }) => {
          const { nameKey } = kindOf(to);
          const { items } = await entriesApi.list(to, { limit: MAX_NAMES, sort: nameKey });
          return [name, new Map(items.map((entry) => [entry.id, String(entry[nameKey])]))] as const;
        }),
      ),
    [fields],
  );
  const names = new Map(answer.value.value ?? []);
  return (field, value) => names.get(field)?.get(value) ?? String(value ?? '–');
}
