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
