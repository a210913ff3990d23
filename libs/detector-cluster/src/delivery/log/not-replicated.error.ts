/** Too few replicas have confirmed a write in time. It may be repeated. */
export class NotReplicatedError extends Error {
  override readonly name = 'NotReplicatedError';

  constructor(
    readonly confirmed: number,
    readonly wanted: number,
    timeout: number,
  ) {
    super(
      `${confirmed} of ${wanted} replicas have confirmed within ${timeout} ms; detections wait until they have (option acceptance)`,
    );
  }
}
