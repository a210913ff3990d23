export { isInterruption } from '../elector/term-cleanup.js';
export { doubling } from './backoff.js';
export {
  CLOCK_RATE_RATIO,
  type ClockInstant,
  deadlineAfter,
  instantOf,
  LONGEST_TIMER,
  validityOf,
} from './clock.js';
export { oncePerRegistry } from './once-per-registry.js';
export { pause } from './pause.js';
export { type EventsWithError, SafeEmitter } from './safe-emitter.js';
export { seededRandom } from './seeded-random.js';
export { toError } from './to-error.js';
export { Condition } from './condition.js';
