/** The subscription is not desired, so there is nothing to explain. */
export class SubscriptionNotDesiredError extends Error {
  override readonly name = 'SubscriptionNotDesiredError';
  readonly code = 'SUBSCRIPTION_NOT_DESIRED';

  constructor(readonly subscriptionIdentifier: string) {
    super(
      `${subscriptionIdentifier} is not desired: no display in the database yields it and no subscribeToCamera asked for it; getSubscriptions() lists those that are, and the displays that yield none`,
    );
  }
}
