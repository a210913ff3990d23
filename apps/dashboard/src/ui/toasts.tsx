import { Button } from './button.js';
import { Icon } from './icon.js';
import { dismissToast, toasts } from './toast.js';
import './toasts.css';

/** Shows results of actions. Always rendered, because screen readers do not read a live region that is new. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, tone, text }) => (
        <div key={id} class={`toast toast-${tone}`}>
          <Icon name={tone === 'ok' ? 'check' : 'alert'} />
          <p dir="auto">{text}</p>
          <Button tone="quiet" size="small" onClick={() => dismissToast(id)} label="Dismiss this message">
            Dismiss
          </Button>
        </div>
      ))}
    </div>
  );
}
