const FORBIDDEN = /[;\p{Cc}]/u;

/** Problem of a name that becomes part of keys, channels and messages; `undefined` when the name is valid. */
export function findNameProblem(name: unknown): string | undefined {
  if (typeof name !== 'string' || name === '') return 'must be a string that is not empty';
  if (name.length > 256) return 'must not be longer than 256 characters';
  return FORBIDDEN.test(name) ? "must not contain ';' or control characters" : undefined;
}
