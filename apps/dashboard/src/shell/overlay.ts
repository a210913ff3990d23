import { signal } from '@preact/signals';
import { feed } from '../feed/feed.js';

/** Whether the palette is open above the page. */
export const overlay = signal(false);

export function openOverlay(): void {
  // A page that knows nothing has nothing to lead to, and may need the API key first.
  if (feed.known.peek()) overlay.value = true;
}

export function closeOverlay(): void {
  overlay.value = false;
}

/** Listens to the keys of the page until it closes. */
export function startShortcuts(): void {
  window.addEventListener('keydown', (event) => {
    const { altKey, ctrlKey, key, metaKey } = event;
    if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') {
      // Never the browser's own search, also where the palette cannot open.
      event.preventDefault();
      if (overlay.peek()) closeOverlay();
      else if (!hasDialog()) openOverlay();
      return;
    }
    if (ctrlKey || metaKey || altKey || hasDialog() || isTyping(event.target)) return;
    if (key === '/') {
      const field = document.querySelector<HTMLElement>('main input[type=search]');
      if (field === null) return;
      event.preventDefault();
      field.focus();
    }
  });
}

function hasDialog(): boolean {
  return document.querySelector('dialog[open]') !== null;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, select, textarea');
}
