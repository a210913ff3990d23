/** Problem of a value that must be an object that JSON can represent; `undefined` when it is one. */
export function findJsonProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
  try {
    JSON.stringify(value);
    return undefined;
  } catch (error) {
    return `cannot be written as JSON: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
  }
}
