import type { ElectionState, LossReason } from '../contract/election-backend.js';

/** Reports who leads, each leader once. */
export class FollowerReports {
  private reported = '';

  /** @returns the state if it is news. */
  follow(leaderId: string | null, term: number): ElectionState | undefined {
    const report = `${term} ${leaderId}`;
    if (report === this.reported) return undefined;
    this.reported = report;
    return { role: 'follower', leaderId, term };
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
