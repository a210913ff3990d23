import type { ElectionState, LossReason } from '../contract/election-backend.js';

/** Reports who leads: each leader once, and again when it becomes absent and when it is back. */
export class FollowerReports {
  private reported = '';

  /** @returns the state if it is news. */
  follow(leaderId: string | null, term: number, isAbsent = false): ElectionState | undefined {
    const report = `${term} ${leaderId}${isAbsent ? ' absent' : ''}`;
    if (report === this.reported) return undefined;
    this.reported = report;
    return { role: 'follower', leaderId, term, ...(isAbsent && { absent: true }) };
  }

  /** A term ends, which is always news. */
  lost(leaderId: string | null, term: number, reason: LossReason): ElectionState {
    this.reported = `${term} ${leaderId}`;
    return { role: 'follower', leaderId, term, reason };
  }

  failed(error: Error): ElectionState {
    this.forget();
    return { role: 'error', error };
  }

  /** The next report is news. */
  forget(): void {
    this.reported = '';
  }
}
