import { signal } from '@preact/signals';
import { Button } from './button.js';
import { Icon } from './icon.js';
import './ui.css';

/** The result of an action. */
export interface Toast {
  readonly id: number;
  readonly tone: 'ok' | 'bad';
  readonly text: string;
}

/** A success disappears after this time; an error stays until it is dismissed. Milliseconds. */
const SHOWN_FOR = 8_000;
/** How many toasts are shown; the oldest ones are removed. */
const MAX_TOASTS = 4;

/** The shown toasts, oldest first. */
export const toasts = signal<readonly Toast[]>([]);

let lastId = 0;

export function showToast(tone: Toast['tone'], text: string): void {
  const id = ++lastId;
  toasts.value = [...toasts.value, { id, tone, text }].slice(-MAX_TOASTS);
  if (tone === 'ok') window.setTimeout(() => dismissToast(id), SHOWN_FOR);
}

export function dismissToast(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

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
