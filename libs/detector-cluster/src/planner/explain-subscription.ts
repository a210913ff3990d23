import type { SubscriptionExplanation } from './contract/explanation.js';
import type { PlanInput } from './contract/plan-input.js';
import { Outlook } from './outlook.js';

/**
 * Why a subscription runs where it runs: what every worker would be worth to it and why it is not there, and what a plan
 * made now does with it. Pure, on the same input as {@link plan}; throws what that throws. Null: it is not desired.
 */
export function explainSubscription(
  input: PlanInput,
  subscriptionIdentifier: string,
): SubscriptionExplanation | null {
  return new Outlook(input).explain(subscriptionIdentifier);
}
