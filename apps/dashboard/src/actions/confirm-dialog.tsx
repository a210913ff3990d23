import { useSignal } from '@preact/signals';
import { messageOf } from '../api/api-error.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Notice } from '../ui/notice.js';
import { showToast } from '../ui/toast.js';
import { pendingConfirmation, type Confirmation } from './confirmation.js';

/** Asks for the pending confirmation. The shell renders it once. */
export function ConfirmDialog() {
  const confirmation = pendingConfirmation.value;
  return confirmation === null ? null : <Asking key={confirmation.title} confirmation={confirmation} />;
}

function Asking({ confirmation }: { readonly confirmation: Confirmation }) {
  const busy = useSignal(false);
  const problem = useSignal<string | null>(null);
  const { title, body: Body, confirm, tone = 'primary', wide, run } = confirmation;

  const close = () => {
    if (pendingConfirmation.value === confirmation) pendingConfirmation.value = null;
  };
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
          <Button tone={tone} busy={busy.value} onClick={() => void proceed()}>
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
