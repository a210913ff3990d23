import { signal, useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { messageOf } from '../api/api-error.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Notice } from '../ui/notice.js';
import { showToast } from '../ui/toasts.js';

/** An action on the cluster that awaits confirmation. */
export interface Confirmation {
  /** A question. */
  readonly title: string;
  /** What will happen. */
  readonly body: FunctionComponent;
  /** Text of the button that confirms. */
  readonly confirm: string;
  readonly tone?: 'primary' | 'danger';
  readonly wide?: boolean;
  /** Why it cannot be confirmed now; null: it can. */
  readonly obstacle?: () => string | null;
  /** Runs the action. Resolves with the result as a text for people; rejects with the error. */
  readonly run: () => Promise<string>;
}

/** The open question; null: none. */
export const pendingConfirmation = signal<Confirmation | null>(null);

/** Asks the operator and shows the result. */
export function confirmAction(confirmation: Confirmation): void {
  pendingConfirmation.value = confirmation;
}

/** Asks for the pending confirmation. The shell renders it once. */
export function ConfirmDialog() {
  const confirmation = pendingConfirmation.value;
  return confirmation === null ? null : <Asking key={confirmation.title} confirmation={confirmation} />;
}

function Asking({ confirmation }: { readonly confirmation: Confirmation }) {
  const busy = useSignal(false);
  const problem = useSignal<string | null>(null);
  const { title, body: Body, confirm, tone = 'primary', wide, obstacle, run } = confirmation;
  const why = obstacle?.() ?? null;

  const close = () => {
    if (pendingConfirmation.value === confirmation) pendingConfirmation.value = null;
  };
  // A link in the question leads away from it.
  useEffect(() => {
    window.addEventListener('hashchange', close);
    return () => window.removeEventListener('hashchange', close);
  }, [confirmation]);
  const proceed = async () => {
    busy.value = true;
    problem.value = null;
    try {
      showToast('ok', await run());
      close();
    } catch (error) {
      // A user who has closed the dialog in the meantime still sees the error.
      if (pendingConfirmation.value === confirmation) problem.value = messageOf(error);
      else showToast('bad', messageOf(error));
    } finally {
      busy.value = false;
    }
  };

  return (
    <Dialog
      title={title}
      wide={wide ?? false}
      onClose={close}
      footer={
        <>
          <Button first onClick={close}>
            Cancel
          </Button>
          <Button
            tone={tone}
            busy={busy.value}
            disabled={why !== null}
            title={why ?? undefined}
            onClick={() => void proceed()}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <Body />
      <div role="alert">{problem.value !== null && <Notice tone="bad">{problem.value}</Notice>}</div>
    </Dialog>
  );
}
