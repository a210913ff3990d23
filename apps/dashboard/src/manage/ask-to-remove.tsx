import { signal, type Signal } from '@preact/signals';
import { confirmAction } from '../actions/confirm-dialog.js';
import { Answer } from '../api/answer.js';
import { entriesApi, type Entry, type RemovalAnswer } from '../api/entries-api.js';
import { Notice } from '../ui/notice.js';
import { ImpactView } from './impact-view.js';
import type { EntryKind } from './kinds.js';

/** Removes an entry, after it has shown what uses it and what will happen. */
export function askToRemove(kind: EntryKind, entry: Entry, onRemoved: () => void): void {
  const key = entry[kind.pathKey] as string | number;
  const name = String(entry[kind.nameKey]);
  const answer = new Answer(() => entriesApi.removal(kind.name, key));
  const detach = signal(false);
  void answer.load();
  confirmAction({
    title: `Remove ${kind.one} ${name}?`,
    body: () => <Removal kind={kind} answer={answer} detach={detach} />,
    confirm: 'Remove',
    tone: 'danger',
    obstacle: () => {
      const removal = answer.value.value;
      if (removal === null) return 'What uses it is not known yet';
      return removal.usedBy.total > 0 && !detach.value ? 'Other entries use it' : null;
    },
    run: async () => {
      try {
        await entriesApi.remove(kind.name, key, answer.value.peek()!.etag, detach.peek());
      } catch (error) {
        void answer.load();
        throw error;
      }
      onRemoved();
      return `The ${kind.one} ${name} is removed.`;
    },
  });
}

interface RemovalProps {
  readonly kind: EntryKind;
  readonly answer: Answer<RemovalAnswer>;
  /** Whether the entries that use it stay without it. */
  readonly detach: Signal<boolean>;
}

function Removal({ kind, answer, detach }: RemovalProps) {
  const removal = answer.value.value;
  const asking = removal === null && answer.loading.value;
  return (
    <>
      <div role="alert">
        {answer.problem.value !== null && <Notice tone="bad">{answer.problem.value}</Notice>}
      </div>
      <div class="manage-parts" aria-live="polite" aria-busy={asking}>
        {asking && <p class="muted">Asking the service…</p>}
        {removal !== null && removal.usedBy.total > 0 && (
          <section class="impact" aria-label="Used by">
            <h3>Used by</h3>
            <ul>
              {removal.usedBy.items.map(({ kind: user, key }) => (
                <li key={`${user} ${key}`}>
                  {user} <bdi>{key}</bdi>
                </li>
              ))}
              {removal.usedBy.total > removal.usedBy.items.length && (
                <li class="muted">and {removal.usedBy.total - removal.usedBy.items.length} more</li>
              )}
            </ul>
            <label class="entry-clear">
              <input
                type="checkbox"
                checked={detach.value}
                onChange={({ currentTarget }) => (detach.value = currentTarget.checked)}
              />{' '}
              Remove it anyway and leave these without a {kind.one}
            </label>
          </section>
        )}
        {removal !== null && <ImpactView impact={removal.impact} />}
      </div>
    </>
  );
}
