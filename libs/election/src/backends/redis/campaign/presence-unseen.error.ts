/** The leader's own process cannot be seen by the store, on which its lease rests: it is suspended until it can. */
export class PresenceUnseenError extends Error {
  override readonly name = 'PresenceUnseenError';
  readonly code = 'PRESENCE_UNSEEN';

  constructor() {
    super(
      'Redis does not see the presence connection of this process; its lease is not confirmed until it does',
    );
  }
}
