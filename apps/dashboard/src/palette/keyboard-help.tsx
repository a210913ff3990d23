import { Dialog } from '../ui/dialog.js';
import './keyboard-help.css';
import { closeOverlay } from './overlay.js';

const GROUPS: readonly {
  readonly title: string;
  readonly keys: readonly (readonly [keys: string, what: string])[];
}[] = [
  {
    title: 'On every page',
    keys: [
      ['Ctrl+K', 'Go to a page, worker or camera, or start an action'],
      ['/', 'Filter the page'],
      ['?', 'Show this help'],
      ['Escape', 'Close a dialog'],
    ],
  },
  {
    title: 'In tables that scroll',
    keys: [
      ['Arrow keys', 'Move by one cell'],
      ['Page Up, Page Down', 'Move by one screen'],
      ['Home, End', 'Go to the first or the last cell of the row'],
      ['Ctrl+Home, Ctrl+End', 'Go to the first or the last row'],
      ['Enter', 'Open the row'],
    ],
  },
];

/** The keys of the page. */
export function KeyboardHelp() {
  return (
    <Dialog title="Keyboard" onClose={closeOverlay}>
      {GROUPS.map(({ title, keys }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <dl class="keyboard-help">
            {keys.map(([key, what]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p class="muted">On a Mac, use ⌘ instead of Ctrl.</p>
    </Dialog>
  );
}
