import { plainTextProblem } from './plain-text.js';

/** The two halves of a subscription identifier. */
export interface SubscriptionParts {
  readonly displayId: string;
  readonly cameraId: string;
}

/** A value of the caller is not usable. `field` names it, and the message says what is allowed. */
export class InvalidInputError extends Error {
  override readonly name = 'InvalidInputError';
  readonly code = 'INVALID_INPUT';

  constructor(
    readonly field: string,
    problem: string,
  ) {
    super(`${field}: ${problem}`);
  }
}

const MAX_LENGTH = 256;

/** Whether `value` can be one half of a subscription identifier; returns the problem, or null. */
export function identifierProblem(value: unknown): string | null {
  if (typeof value !== 'string') return `must be a string, got ${value === null ? 'null' : typeof value}`;
  if (value.trim() === '') return 'must not be empty';
  if (value.length > MAX_LENGTH) return `must be at most ${MAX_LENGTH} characters, got ${value.length}`;
  if (value.includes(';')) return 'must not contain ";"';
  return plainTextProblem(value);
}

/** Throws {@link InvalidInputError} naming `field` unless `value` can be one half of a subscription identifier. */
export function assertIdentifier(field: string, value: unknown): asserts value is string {
  const problem = identifierProblem(value);
  if (problem !== null) throw new InvalidInputError(field, problem);
}

/** `<displayId>;<cameraId>` */
export function formatSubscription(displayId: string, cameraId: string): string {
  return `${displayId};${cameraId}`;
}

/** Of an identifier that was checked; something of any other text. */
export const displayOf = (subscriptionIdentifier: string): string => subscriptionIdentifier.split(';', 1)[0]!;

/** Splits `<displayId>;<cameraId>`; throws {@link InvalidInputError} when it is not of that form. */
export function parseSubscription(identifier: unknown, field = 'subscriptionIdentifier'): SubscriptionParts {
  if (typeof identifier !== 'string')
    throw new InvalidInputError(field, `must be a string "<displayId>;<cameraId>"`);
  const parts = identifier.split(';');
  if (parts.length !== 2)
    throw new InvalidInputError(field, 'must be "<displayId>;<cameraId>" with exactly one ";"');
  const [displayId, cameraId] = parts;
  assertIdentifier(`${field} (displayId)`, displayId);
  assertIdentifier(`${field} (cameraId)`, cameraId);
  return { displayId, cameraId };
}
