/** The backend was disconnected from its store by `disconnect()`. */
export class StoreDisconnectedError extends Error {
  override readonly name = 'StoreDisconnectedError';
  readonly code = 'STORE_DISCONNECTED';

  constructor() {
    super('the store cannot be reached: this backend was disconnected from it');
  }
}
