/**
 * Why a candidate became leader: nobody led as far as it knew, the previous leader handed over, its lease ran out, or its
 * process was found to be dead.
 */
export type AcquisitionReason = 'vacant' | 'released' | 'expired' | 'absent';

/**
 * Why a tenure ended: the deadline passed unconfirmed, the store says that somebody else or nobody leads, another term
 * of this candidate began, the candidate gave up because it was not confirmed for too long, its begin handler or its campaign
 * failed, `resign()` or `stop()` was called.
 */
export type LossReason =
  'expired' | 'refused' | 'superseded' | 'unconfirmed' | 'failed' | 'resigned' | 'stopped';
