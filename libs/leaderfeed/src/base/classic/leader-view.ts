import type { HeartbeatDetails } from '../heartbeat-details.js';

/** Who leads, as far as a node has heard, and which records are no news. */
export class LeaderView {
  leader: string | null = null;
  /** The highest election that was heard of; 0 before the first. */
  election = 0;
  /** When the last record of that election was written, by the store's clock. */
  private at = -Infinity;

  /**
   * Takes in a record. Returns false when it says nothing about the present: it belongs to an earlier election, it is a heartbeat
   * of a node that the same election has passed over, or it was heard before. Without details every record counts.
   */
  hear(leaderId: string | null, details?: HeartbeatDetails): boolean {
    if (!details) {
      this.leader = leaderId;
      return true;
    }
    const { election, kind, at } = details;
    if (election < this.election) return false;
    if (election === this.election) {
      if (at <= this.at && leaderId === this.leader) return false;
      // Who was elected at the same time by somebody else wins by the order of the feed, not by beating later.
      if (leaderId !== this.leader && (kind === 'heartbeat' || at < this.at)) return false;
    }
    this.leader = leaderId;
    this.election = election;
    this.at = at;
    return true;
  }
}
