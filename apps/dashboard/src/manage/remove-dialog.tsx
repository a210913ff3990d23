import { useSignal } from '@preact/signals';
import { messageOf } from '../api/api-error.js';
import { entriesApi, type Entry } from '../api/entries-api.js';
import { useLoaded } from '../api/use-answer.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Notice } from '../ui/notice.js';
import { showToast } from '../ui/toasts.js';
import { ImpactView } from './impact-view.js';
import type { EntryKind } from './kinds.js';

export interface RemoveDialogProps {
  readonly kind: EntryKind;
  readonly entry: Entry;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

/** Removes an entry, after it has shown what uses it and what will happen. */
export function RemoveDialog({ kind, entry, onClose, onRemoved }: RemoveDialogProps) {
  const key = entry[kind.pathKey] as string | number;
  const name = String(entry[kind.nameKey]);
  const answer = useLoaded(() => entriesApi.removal(kind.name, key), [kind, key]);
  const detach = useSignal(false);
  const busy = useSignal(false);
  const problem = useSignal<string | null>(null);
  const removal = answer.value.value;
  const used = removal !== null && removal.usedBy.total > 0;

  const remove = async () => {
    if (removal === null) return;
    busy.value = true;
    problem.value = null;
    try {
      await entriesApi.remove(kind.name, key, removal.etag, detach.value);
      showToast('ok', `The ${kind.one} ${name} is removed.`);
      onRemoved();
      onClose();
    } catch (error) {
      problem.value = messageOf(error);
      void answer.load();
    } finally {
      busy.value = false;
    }
  };

  return (
    <Dialog
      title={`Remove ${kind.one} ${name}?`}
      onClose={onClose}
      footer={
        <>
          <Button first onClick={onClose}>
            Cancel
          </Button>
          <Button
            tone="danger"
            busy={busy.value}
            disabled={removal === null || (used && !detach.value)}
            title={used && !detach.value ? 'Other entries use it' : undefined}
            onClick={() => void remove()}
          >
            Remove
          </Button>
        </>
      }
    >
      <div role="alert">
        {(problem.value ?? answer.problem.value) !== null && (
          <Notice tone="bad">{problem.value ?? answer.problem.value}</Notice>
        )}
      </div>
      <div class="manage-parts" aria-live="polite" aria-busy={removal === null && answer.loading.value}>
        {removal === null && answer.loading.value && <p class="muted">Asking the service…</p>}
        {removal !== null && used && (
          <section class="impact" aria-label="Used by">
            <h3>Used by</h3>
            <ul>
              {removal.usedBy.items.map(({ kind: user, key: userKey }) => (
                <li key={`${user} ${userKey}`}>
                  {user} <bdi>{userKey}</bdi>
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
    </Dialog>
  );
}
