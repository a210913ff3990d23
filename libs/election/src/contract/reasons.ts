/**
 * Why a candidate became leader: nobody led as far as it knew, the previous leader handed over, or its lease ran out.
 */
export type AcquisitionReason = 'vacant' | 'released' | 'expired';

/**
 * Why a tenure ended: the deadline passed unconfirmed, the store says that somebody else or nobody leads, another term
 * of this candidate began, `resign()` or `stop()` was called.
 */
export type LossReason = 'expired' | 'refused' | 'superseded' | 'resigned' | 'stopped';
