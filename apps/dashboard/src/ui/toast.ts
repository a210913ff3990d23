import { signal } from '@preact/signals';

/** The result of an action. */
export interface Toast {
  readonly id: number;
  readonly tone: 'ok' | 'bad';
  readonly text: string;
}

/** A success disappears after this time; an error stays until it is dismissed. Milliseconds. */
const SHOWN_FOR = 8_000;
/** How many toasts are shown; the oldest ones are removed. */
const MOST = 4;

/** The shown toasts, oldest first. */
export const toasts = signal<readonly Toast[]>([]);

let lastId = 0;

export function showToast(tone: Toast['tone'], text: string): void {
  const id = ++lastId;
  toasts.value = [...toasts.value, { id, tone, text }].slice(-MOST);
  if (tone === 'ok') window.setTimeout(() => dismissToast(id), SHOWN_FOR);
}

export function dismissToast(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}
