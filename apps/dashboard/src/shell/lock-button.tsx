import { apiKey, setApiKey } from '../feed/api-key.js';
import { Button } from '../ui/button.js';

/** Forgets the API key and all that is shown; only there when a key was given. */
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
