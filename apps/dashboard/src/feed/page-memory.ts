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
