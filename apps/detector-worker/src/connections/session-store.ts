import { Injectable } from '@nestjs/common';

/** Session of each display. It belongs to the display, so it outlives subscriptions. */
@Injectable()
export class SessionStore {
  readonly #sessions = new Map<string, number>();

  /** Null clears. */
  set(displayId: string, sessionId: number | null): void {
    if (sessionId === null) this.#sessions.delete(displayId);
    else this.#sessions.set(displayId, sessionId);
  }

  entries(): Iterable<readonly [displayId: string, sessionId: number]> {
    return this.#sessions.entries();
  }
}
