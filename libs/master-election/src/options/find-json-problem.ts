/** What is wrong with a value that must be a record which JSON can carry; `undefined` when nothing is. */
export function findJsonProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
  try {
    JSON.stringify(value);
    return undefined;
  } catch (error) {
    return `cannot be written as JSON: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
  }
}
