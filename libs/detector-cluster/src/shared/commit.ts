import type { FencedStore, GuardedCommand } from '@detector-cluster/election/fence';

/** The most text of one call, unless a single part is longer: Lua blocks Redis. Characters. */
export const MAX_TEXT = 200_000;

/** What belongs together in one call. */
export interface CommitPart {
  /** Characters. */
  readonly length: number;
  /** Called once, right before they are sent. */
  readonly commands: () => readonly GuardedCommand[];
  /** Redis has it. */
  readonly written: () => void;
}

/**
 * What a master writes at a time to several keys: in one call, so that they cost one round trip and change together, or in a few where
 * they are too large for one.
 */
export class Commit {
  private readonly parts: CommitPart[] = [];
  private readonly followers: (() => Promise<unknown> | void)[] = [];

  constructor(private readonly store: FencedStore) {}

  add(part: CommitPart): void {
    this.parts.push(part);
  }

  /** @param follower called once Redis has all parts */
  whenWritten(follower: () => Promise<unknown> | void): void {
    this.followers.push(follower);
  }

  /** Rejects when Redis does not accept all. Then it has accepted the first calls, and perhaps the next one, or none. */
  async write(): Promise<void> {
    for (const parts of this.calls()) {
      await this.store.write(parts.flatMap(({ commands }) => commands()));
      for (const { written } of parts) written();
    }
    for (const follower of this.followers) await follower();
  }

  private *calls(): Generator<CommitPart[]> {
    let call: CommitPart[] = [];
    let length = 0;
    for (const part of this.parts) {
      if (call.length > 0 && length + part.length > MAX_TEXT) {
        yield call;
        call = [];
        length = 0;
      }
      call.push(part);
      length += part.length;
    }
    if (call.length > 0) yield call;
  }
}
