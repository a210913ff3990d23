import { Button } from './button.js';
import { copyText } from './copy-text.js';
import { showToast } from './toast.js';

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
