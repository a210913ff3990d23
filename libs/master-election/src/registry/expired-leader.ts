import type { AcquisitionReason } from '@detector-cluster/election';
import { candidateIdOf, type ProcessEntry } from './process-entry.js';

/**
 * The process whose lease ran out before the present term of this one. If it is frozen, its connections stay open, and only a renewal of
 * its registration shows that it runs again.
 */
export class ExpiredLeader {
  private leaderId: string | null = null;
  private silent: { readonly id: string; lastSeen?: string } | null = null;

  /** This process follows that leader; null: none. */
  followed(leaderId: string | null): void {
    if (leaderId !== null) this.leaderId = leaderId;
  }

  /** This process leads. */
  acquired(reason: AcquisitionReason): void {
    this.silent = reason === 'expired' && this.leaderId !== null ? { id: this.leaderId } : null;
    this.leaderId = null;
  }

  /** Whether this process led until its lease ran out, and has not renewed its registration since the first call. */
  isSilent(process: Pick<ProcessEntry, 'nodeId' | 'bootId' | 'lastSeen'>): boolean {
    const { silent } = this;
    if (silent === null || candidateIdOf(process) !== silent.id) return false;
    silent.lastSeen ??= process.lastSeen;
    if (process.lastSeen === silent.lastSeen) return true;
    this.silent = null;
    return false;
  }
}
