export { checkHistory, type Findings } from './check-history.js';
export { ClaimCheck } from './claim-check.js';
export { escaped } from './draw-history.js';
export { History } from './history.js';
export type {
  Delivery,
  Held,
  HistoryHeader,
  HistoryLine,
  SentByWorker,
  Stall,
  Starved,
} from './history-line.js';
export type { FailoverVerdict } from './verdict.js';
