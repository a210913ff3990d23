import { signal } from '@preact/signals';
import { feed } from '../feed/feed.js';

/** What is open above the page. */
export type Overlay = 'palette' | 'help';

export const overlay = signal<Overlay | null>(null);

export function openOverlay(which: Overlay): void {
  // A page that knows nothing has nothing to lead to, and may need the API key first.
  if (feed.known.peek()) overlay.value = which;
}

export function closeOverlay(): void {
  overlay.value = null;
}

/** Listens to the keys of the page until it closes. */
export function startShortcuts(): void {
  window.addEventListener('keydown', (event) => {
    const { altKey, ctrlKey, key, metaKey } = event;
    if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') {
      // Never the browser's own search, also where the palette cannot open.
      event.preventDefault();
      if (overlay.peek() === 'palette') closeOverlay();
      else if (!hasDialog()) openOverlay('palette');
      return;
    }
    if (ctrlKey || metaKey || altKey || hasDialog() || isTyping(event.target)) return;
    if (key === '?') openOverlay('help');
    else if (key === '/') {
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
