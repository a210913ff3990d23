import { problems } from '../http/problem/problems.js';
import { classifyDatabaseError } from './database-error.js';

/** Resolves with what was read or changed; throws a 404 problem with `detail` when there was no such row. */
export async function orNotFound<T>(operation: Promise<T | null>, detail: string): Promise<T> {
  let result: T | null;
  try {
    result = await operation;
  } catch (error) {
    if (classifyDatabaseError(error)?.kind === 'not-found') throw problems.notFound(detail);
    throw error;
  }
  if (result === null) throw problems.notFound(detail);
  return result;
}
