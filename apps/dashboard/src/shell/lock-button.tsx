import { apiKey, setApiKey } from '../feed/api-key.js';
import { Button } from '../ui/button.js';

/** Forgets the API key and the shown state. Rendered only if a key was entered. */
export function LockButton() {
  if (apiKey.value === null) return null;
  return (
    <Button tone="quiet" size="small" icon="lock" onClick={lock} label="Lock: remove the API key">
      Lock
    </Button>
  );
}

function lock(): void {
  setApiKey(null);
  window.location.reload();
}
