import type { HeldLease } from '../lease/lease-store.js';

/**
 * Distinguishes a live process with this candidate's id from a record that an earlier run of this candidate left behind: only a
 * live process confirms its lease.
 */
export class NamesakeWatch {
  private seen: HeldLease | undefined;
  private reported = false;

  /**
   * @param lease Held under this candidate's id, but not by this process.
   * @returns Whether its holder is found to be alive, once for each claim of the holder.
   */
  shows(lease: HeldLease): boolean {
    if (this.seen?.owner !== lease.owner) {
      this.seen = lease;
      this.reported = false;
      return false;
    }
    if (this.reported || this.seen.seq === lease.seq) return false;
    this.reported = true;
    return true;
  }
}
