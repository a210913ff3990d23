/**
 * Why a candidate became leader: it knew of no leader, the previous leader handed over, the previous leader's lease expired, or
 * its process was found to be dead.
 */
export type AcquisitionReason = 'vacant' | 'released' | 'expired' | 'absent';

/**
 * Why a term ended: the deadline passed without a confirmation, the store names another leader or none, another term of this
 * candidate began, the candidate gave up because its lease was not confirmed for too long, its begin handler or its campaign
 * failed, or `resign()` or `stop()` was called.
 */
export type LossReason =
  'expired' | 'refused' | 'superseded' | 'unconfirmed' | 'failed' | 'resigned' | 'stopped';
