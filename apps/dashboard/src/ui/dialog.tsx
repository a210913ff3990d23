import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './button.js';
import './dialog.css';

export interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Buttons; the confirming one comes last. */
  readonly footer?: ComponentChildren;
  /** The user closes it: by Escape, its cross or a click beside it. */
  readonly onClose: () => void;
  readonly wide?: boolean;
}

/** Modal while it is rendered; then the focus returns to where it was. */
export function Dialog({ title, children, footer, onClose, wide = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => {
      dialog?.close();
      // The confirmed action may have removed the element that opened the dialog.
      const back = before?.isConnected ? before : document.querySelector('main');
      if (back instanceof HTMLElement) back.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class={wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div class="dialog-content">
        <header class="dialog-header">
          <h2 id={titleId}>{title}</h2>
          <Button tone="quiet" size="small" icon="cross" onClick={onClose}>
            Close
          </Button>
        </header>
        <div class="dialog-body">{children}</div>
        {footer !== undefined && <footer class="dialog-footer">{footer}</footer>}
      </div>
    </dialog>
  );
}
