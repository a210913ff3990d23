/** The database may lack what an earlier read had. What runs stays as it is. */
export class UncertainReadError extends Error {
  override readonly name = 'UncertainReadError';
}
