import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { setApiKey } from '../feed/api-key.js';
import { feed, feedConnection } from '../feed/feed.js';
import { Button } from '../ui/button.js';
import { Icon } from '../ui/icon.js';
import './key-form.css';

/** Asks for the API key while the service requires one. */
export function KeyForm() {
  const key = useSignal('');
  const input = useRef<HTMLInputElement>(null);
  const connection = feed.connection.value;
  const refused = connection.phase === 'locked' && connection.refused;
  useEffect(() => input.current?.focus(), []);
  return (
    <form
      class="key-form panel"
      onSubmit={(event) => {
        event.preventDefault();
        // Pasted keys often end with a line break.
        const given = key.value.trim();
        if (given === '') return;
        setApiKey(given);
        feedConnection.start();
      }}
    >
      <h1>
        <Icon name="lock" /> This service needs an API key
      </h1>
      <label for="api-key">API key</label>
      <input
        ref={input}
        id="api-key"
        type="password"
        autoComplete="off"
        spellcheck={false}
        required
        aria-describedby="api-key-note api-key-problem"
        aria-invalid={refused}
        value={key.value}
        onInput={(event) => (key.value = event.currentTarget.value)}
      />
      <p id="api-key-note" class="muted">
        The key is kept in this tab only, until you close it.
      </p>
      <p id="api-key-problem" class="key-form-problem" role="alert">
        {refused && 'The service rejected this key.'}
      </p>
      <Button type="submit" tone="primary">
        Unlock
      </Button>
    </form>
  );
}
