import type { SubscriptionExplanation } from './contract/explanation.js';
import type { PlanInput } from './contract/plan-input.js';
import { Outlook } from './outlook.js';

/**
 * Explains the placement of a subscription: the score of each worker, the reasons against it, and what a plan made now
 * would do. Pure; takes the same input as {@link plan} and throws the same errors. Null: the subscription is not desired.
 */
export function explainSubscription(
  input: PlanInput,
  subscriptionIdentifier: string,
): SubscriptionExplanation | null {
  return new Outlook(input).explain(subscriptionIdentifier);
}
