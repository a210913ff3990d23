import type { RejectionReason } from '../planner/plan.types.js';

/** The planner's name for a worker that did not take a unit in time. */
export const PENALTY_REASON: RejectionReason = 'penalty';
