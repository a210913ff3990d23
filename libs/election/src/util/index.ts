export { isInterruption } from '../elector/handover/is-interruption.js';
export { doubling } from './backoff.js';
export { deadlineAfter, instantOf, type ClockInstant } from './clock-instant.js';
export { CLOCK_RATE_RATIO, validityOf } from './clock-rate.js';
export { oncePerRegistry } from './once-per-registry.js';
export { pause } from './pause.js';
export { toError } from './to-error.js';
export { Condition } from './condition.js';
