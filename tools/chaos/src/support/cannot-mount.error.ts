/** This process may not mount file systems. */
export class CannotMountError extends Error {
  override readonly name = 'CannotMountError';

  constructor(options?: ErrorOptions) {
    super('the scenario needs the right to mount a file system', options);
  }
}
