import type { HeartbeatDetails } from './leader-feed-events.js';

/** The leader, as far as a node has heard. Detects stale records. */
export class LeaderView {
  leader: string | null = null;
  /** The highest known election; 0 before the first. */
  election = 0;
  /** When the last record of that election was written, by the store's clock. */
  private at = -Infinity;

  /**
   * Takes in a record. Returns false when the record is stale: it belongs to an earlier election, it is a heartbeat of a node that
   * another one superseded in the same election, or it was heard before. Without details every record counts.
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
      // Of two nodes elected at the same time the order of the feed decides, not the later heartbeat.
      if (leaderId !== this.leader && (kind === 'heartbeat' || at < this.at)) return false;
    }
    this.leader = leaderId;
    this.election = election;
    this.at = at;
    return true;
  }
}
