import type { Check } from '../check.js';
import { connectionChecks } from './connection-checks.js';
import { detectionChecks } from './detection-checks.js';
import { fencingChecks } from './fencing-checks.js';
import { imageChecks } from './image-checks.js';
import { invalidFrameChecks } from './invalid-frame-checks.js';
import { lingerChecks } from './linger-checks.js';
import { listChecks } from './list-checks.js';
import { modelChecks } from './model-checks.js';
import { numberingChecks } from './numbering-checks.js';
import { processChecks } from './process-checks.js';
import { reportChecks } from './report-checks.js';
import { sessionChecks } from './session-checks.js';
import { subscriptionChecks } from './subscription-checks.js';
import { tokenChecks } from './token-checks.js';

/** In the order in which they run: the last one ends the worker. */
export const ALL_CHECKS: readonly Check[] = [
  ...connectionChecks,
  ...tokenChecks,
  ...fencingChecks,
  ...reportChecks,
  ...subscriptionChecks,
  ...listChecks,
  ...invalidFrameChecks,
  ...detectionChecks,
  ...numberingChecks,
  ...imageChecks,
  ...modelChecks,
  ...sessionChecks,
  ...lingerChecks,
  ...processChecks,
];
