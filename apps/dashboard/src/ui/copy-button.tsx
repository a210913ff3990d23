import type { ComponentChildren } from 'preact';
import { Button } from './button.js';
import { showToast } from './toasts.js';
import './ui.css';

export interface CopyButtonProps {
  readonly text: string;
  /** What is copied, e.g. `the URL`. */
  readonly what: string;
}

/** Puts a text into the clipboard. */
export function CopyButton({ text, what }: CopyButtonProps) {
  const copy = async () => {
    if (await copyText(text)) showToast('ok', `Copied ${what}.`);
    else showToast('bad', `The browser did not copy ${what}.`);
  };
  return (
    <Button
      size="small"
      tone="quiet"
      icon="copy"
      label={`Copy ${what}`}
      title={text}
      onClick={() => void copy()}
    >
      Copy
    </Button>
  );
}

/** An id as one of several facts, with a button that copies it. */
export function Id({ text, what }: CopyButtonProps) {
  return (
    <>
      <bdi class="mono">{text}</bdi> <CopyButton text={text} what={what} />
    </>
  );
}

/** Resolves with whether the text is in the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  // Browsers have this clipboard only on pages from HTTPS or from this machine.
  const clipboard = (navigator as Partial<Navigator>).clipboard;
  if (clipboard !== undefined) {
    try {
      await clipboard.writeText(text);
      return true;
    } catch {
      // Without the permission, the selection can still be copied.
    }
  }
  return copySelection(text);
}

function copySelection(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'hidden-visually';
  // Only elements inside a modal dialog can be focused while it is open.
  (before?.closest('dialog') ?? document.body).append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return copied;
}

export interface WithCopyProps {
  readonly id: string;
  /** What shows the id, e.g. a link. */
  readonly children: ComponentChildren;
}

/** An id beside a button that copies it. */
export function WithCopy({ id, children }: WithCopyProps) {
  return (
    <div class="with-copy">
      {children}
      <CopyButton text={id} what={id} />
    </div>
  );
}
