import { signal } from '@preact/signals';
import { sessionMemory } from './page-memory.js';

const NAME = 'dashboard.api-key';

/** The key that the operator entered, kept until the tab is closed; null: none. */
export const apiKey = signal(sessionMemory.read(NAME));

export function setApiKey(key: string | null): void {
  apiKey.value = key;
  sessionMemory.write(NAME, key);
}
