import { type ProblemException, problems } from '../http/problem/problems.js';
import { classifyDatabaseError } from './database-error.js';

/** Fields by the end of the name of the constraint that guards them: `<Table>_<field>_key`, `<Table>_<field>_fkey`. */
const fieldOf = /^[^_]+_(\w+?)_f?key$/;

/** The problem that a failed database call is answered with; null when the error is none of the database. */
export function databaseProblem(error: unknown): ProblemException | null {
  const found = classifyDatabaseError(error);
  switch (found?.kind) {
    case undefined:
      return null;
    case 'unavailable':
      return problems.unavailable({ service: 'database', detail: found.detail }, error);
    case 'not-found':
      return problems.notFound('no such entry');
    case 'unique':
      return problems.conflict([place(found.constraint, 'is already taken')]);
    case 'foreign-key':
      return problems.conflict([place(found.constraint, 'refers to an entry that does not exist')]);
    case 'invalid-value':
      return problems.validation([{ detail: found.detail }]);
  }
}

function place(constraint: string, problem: string) {
  const field = fieldOf.exec(constraint)?.[1] ?? (constraint || 'a field');
  return { pointer: `#/${field}`, detail: `${field} ${problem}` };
}
