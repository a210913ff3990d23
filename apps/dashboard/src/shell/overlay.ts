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

/** Listens to Ctrl+K until the page closes. */
export function startShortcuts(): void {
  window.addEventListener('keydown', (event) => {
    const { altKey, ctrlKey, key, metaKey } = event;
    if (altKey || !(ctrlKey || metaKey) || key.toLowerCase() !== 'k') return;
    // Never the browser's own search, also where the palette cannot open.
    event.preventDefault();
    if (overlay.peek()) closeOverlay();
    else if (document.querySelector('dialog[open]') === null) openOverlay();
  });
}
