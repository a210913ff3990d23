import { signal } from '@preact/signals';

/** Texts that outlive the page. If the browser forbids storage, nothing is remembered. */
export interface PageMemory {
  read(name: string): string | null;
  /** Null forgets the text. Returns false if the browser cannot store it. */
  write(name: string, text: string | null): boolean;
}

/** Until the tab is closed. */
export const sessionMemory = pageMemory(() => window.sessionStorage);

/** For this browser. */
export const localMemory = pageMemory(() => window.localStorage);

function pageMemory(storage: () => Storage): PageMemory {
  return {
    read(name) {
      try {
        return storage().getItem(name);
      } catch {
        return null;
      }
    },
    write(name, text) {
      try {
        if (text === null) storage().removeItem(name);
        else storage().setItem(name, text);
        return true;
      } catch {
        return false;
      }
    },
  };
}

const NAME = 'dashboard.api-key';

/** The key that the operator entered, kept until the tab is closed; null: none. */
export const apiKey = signal(sessionMemory.read(NAME));

export function setApiKey(key: string | null): void {
  apiKey.value = key;
  sessionMemory.write(NAME, key);
}
