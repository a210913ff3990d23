import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { ApiError, messageOf, type ApiIssue } from '../api/api-error.js';
import { entriesApi, newRequestKey, type Entry, type Impact, type Item } from '../api/entries-api.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Notice } from '../ui/notice.js';
import { showToast } from '../ui/toasts.js';
import { EntryField } from './entry-field.js';
import { itemOf, valuesOf, type Values } from './entry-item.js';
import { ImpactView } from './impact-view.js';
import { isCrop, type EntryKind } from './kinds.js';

/** A change that the service has looked at. */
interface Previewed {
  readonly item: Item;
  readonly impact: Impact;
  readonly requestKey: string;
}

export interface EntryDialogProps {
  readonly kind: EntryKind;
  /** Null: a new one. */
  readonly entry: Entry | null;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Adds or changes an entry: first the form, then what will happen. */
export function EntryDialog({ kind, entry, onClose, onSaved }: EntryDialogProps) {
  const values = useSignal<Values>(valuesOf(kind, entry));
  const cleared = useSignal<ReadonlySet<string>>(new Set());
  const busy = useSignal(false);
  const problem = useSignal<string | null>(null);
  const issues = useSignal<readonly ApiIssue[]>([]);
  const previewed = useSignal<Previewed | null>(null);
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const result = useRef<HTMLDivElement>(null);
  const name = entry === null ? null : String(entry[kind.nameKey]);

  const attempt = async (work: () => Promise<void>) => {
    busy.value = true;
    problem.value = null;
    issues.value = [];
    try {
      await work();
    } catch (error) {
      issues.value = error instanceof ApiError ? error.issues.map(inForm) : [];
      const shown = issues.value.filter(({ place }) => kind.fields.some((field) => field.name === place));
      if (shown.length < issues.value.length || shown.length === 0) problem.value = textOf(error);
      else
        problem.value = shown.length === 1 ? 'One field is invalid.' : `${shown.length} fields are invalid.`;
      previewed.value = null;
    } finally {
      busy.value = false;
    }
  };
  // The form with the focus is gone; not to the button that saves, because Enter may be pressed twice.
  useEffect(() => {
    if (previewed.value !== null) result.current?.focus();
  }, [previewed.value]);
  // The first field that is wrong gets the focus, so that a screen reader reads what is wrong with it.
  useEffect(() => {
    if (issues.value.length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [issues.value]);

  const preview = () =>
    attempt(async () => {
      const item = itemOf(kind, entry, values.value, { cleared: cleared.value });
      if (item === null) throw new Error(entry === null ? 'the form is empty' : 'nothing was changed');
      const { items, impact } = await entriesApi.preview(kind.name, [item]);
      if (entry === null && items[0]?.outcome !== 'created')
        throw new ApiError('', 409, [
          { place: kind.nameKey, detail: `is taken: choose another one, or edit that ${kind.one}` },
        ]);
      previewed.value = { item, impact: impact!, requestKey: newRequestKey() };
    });
  const save = ({ item, requestKey }: Previewed) =>
    attempt(async () => {
      await entriesApi.put(kind.name, [item], requestKey);
      showToast('ok', `The ${kind.one} ${name ?? String(item[kind.nameKey])} is saved.`);
      onSaved();
      onClose();
    });

  const field = (each: EntryKind['fields'][number]) => (
    <EntryField
      key={each.name}
      field={each}
      entry={entry}
      value={values.value[each.name] ?? ''}
      first={each === kind.fields[0]}
      fixed={entry !== null && each.name === kind.pathKey}
      problem={issues.value.find(({ place }) => place === each.name)?.detail ?? null}
      cleared={cleared.value.has(each.name)}
      onInput={(text) => (values.value = { ...values.value, [each.name]: text })}
      onClear={(clear) => {
        const next = new Set(cleared.value);
        if (clear) next.add(each.name);
        else next.delete(each.name);
        cleared.value = next;
      }}
    />
  );
  const crop = kind.fields.filter(isCrop);
  const chosen = previewed.value;
  return (
    <Dialog
      title={name === null ? `Add a ${kind.one}` : `Edit ${kind.one} ${name}`}
      onClose={onClose}
      footer={
        chosen === null ? (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button tone="primary" busy={busy.value} onClick={() => form.current?.requestSubmit()}>
              Preview
            </Button>
          </>
        ) : (
          <>
            <Button onClick={() => (previewed.value = null)}>Back</Button>
            <Button tone="primary" busy={busy.value} onClick={() => void save(chosen)}>
              Save
            </Button>
          </>
        )
      }
    >
      <div role="alert">{problem.value !== null && <Notice tone="bad">{problem.value}</Notice>}</div>
      <form
        ref={form}
        id={formId}
        class="entry-form"
        noValidate
        hidden={chosen !== null}
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy.value) void preview();
        }}
      >
        {kind.fields.filter((each) => !isCrop(each)).map(field)}
        {crop.length > 0 && (
          <fieldset class="entry-crop">
            <legend>Crop in pixels</legend>
            {crop.map(field)}
          </fieldset>
        )}
        {/* Enter in a field submits only a form that has a submit button. */}
        <button type="submit" class="hidden-visually" tabIndex={-1} aria-hidden="true" />
      </form>
      <div ref={result} tabIndex={-1} class="entry-result">
        {chosen !== null && <ImpactView impact={chosen.impact} />}
      </div>
    </Dialog>
  );
}

/** The only item is the form. */
function inForm({ place, detail }: ApiIssue): ApiIssue {
  return { place: place.replace(/^items\/0\/?/, ''), detail };
}

function textOf(error: unknown): string {
  if (error instanceof ApiError && error.status === 412)
    return 'It was changed by someone else after this form was opened. Close the form and open it again.';
  return `${messageOf(error)}.`.replace(/\.\.$/, '.');
}
