export { deadlineAfter, instantOf, type ClockInstant } from './clock-instant.js';
export { CLOCK_RATE_RATIO, validityOf } from './clock-rate.js';
export { pause } from './pause.js';
export { toError } from './to-error.js';
export { Waker } from './waker.js';
