import { BACKENDS } from '../backends/backend-options.js';
import { MissingFlagError } from './usage.error.js';

/** What to do about a flag that is missing. */
const REMEDIES = {
  backend: ['--backend', `name what elects: ${BACKENDS.join(', ')}`],
  leaderBeginCommand: [
    '--leader-begin-command',
    "give what to run when this instance becomes leader, or 'true'",
  ],
  leaderEndCommand: ['--leader-end-command', "give what to run when it no longer leads, or 'true'"],
} as const;

/**
 * Checks that nothing is missing; after the parser, so that a flag with a typing error is named first.
 * @throws MissingFlagError that names all that is.
 */
export function requireFlags(options: object, ...names: (keyof typeof REMEDIES)[]): void {
  const missing = names.filter((name) => (options as Record<string, unknown>)[name] === undefined);
  if (missing.length === 0) return;
  const texts = missing.map((name) => `${REMEDIES[name][0]} is missing: ${REMEDIES[name][1]}`);
  throw new MissingFlagError(texts.join('; '));
}
