import type { ExplicitSubscriptionStore } from '../desired/explicit/explicit-subscription-store.js';
import { secretField } from '../desired/secrets/stream-secrets.js';
import { InvalidInputError, parseSubscription } from '../model/subscription-identifier.js';
import type { DesiredCameraSubscription } from '../model/subscriptions.js';

/** What `subscribeToCamera` stores, in memory. */
export class FakeExplicitStore implements Pick<
  ExplicitSubscriptionStore,
  'putAll' | 'remove' | 'removeByCamera'
> {
  readonly stored = new Map<string, DesiredCameraSubscription>();

  /**
   * @param hasSecret as with the option `secret` of the module: URLs may hold credentials
   * @param available rejects while nothing can be stored
   */
  constructor(
    private readonly hasSecret: boolean,
    private readonly available: () => Promise<void>,
  ) {}

  async putAll(subscriptions: readonly DesiredCameraSubscription[]): Promise<void> {
    for (const subscription of subscriptions) {
      const field = this.hasSecret ? null : secretField(subscription);
      if (field !== null)
        throw new InvalidInputError(
          field,
          'may hold credentials or a signature, which needs the option secret',
        );
    }
    await this.available();
    for (const one of subscriptions) this.stored.set(one.subscriptionIdentifier, one);
  }

  async remove(subscriptionIdentifier: string): Promise<boolean> {
    await this.available();
    return this.stored.delete(subscriptionIdentifier);
  }

  async removeByCamera(cameraId: string): Promise<string[]> {
    await this.available();
    const ids = [...this.stored.keys()].filter((id) => parseSubscription(id).cameraId === cameraId);
    for (const id of ids) this.stored.delete(id);
    return ids;
  }
}
