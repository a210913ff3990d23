import { displays } from './displays.js';

/** The first message of a page. */
export interface Hello {
  readonly display: string;
  readonly page: string;
  /** Position of the last entry that the page has got. */
  readonly after: string;
  /** Whether a user has just opened the page. Otherwise the page reconnects by itself. */
  readonly opened: boolean;
}

/** Returns null if it is not a hello for one of the displays. */
export function readHello(data: unknown): Hello | null {
  if (typeof data !== 'object' || data === null) return null;
  const { display, page, after, opened } = data as Record<string, unknown>;
  if (typeof display !== 'string' || !displays.has(display)) return null;
  if (typeof page !== 'string' || !/^\w{1,64}$/.test(page)) return null;
  if (typeof after !== 'string' || !/^\d{1,15}-\d{1,15}$/.test(after)) return null;
  return { display, page, after, opened: opened === true };
}
