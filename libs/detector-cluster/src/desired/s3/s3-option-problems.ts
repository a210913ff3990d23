import type { Problem } from '../stream/stream-fields.js';
import { httpUrlProblem } from '../stream/stream-fields.js';
import type { S3ModelUrlOptions } from './s3-model-url-options.js';

/** A worker needs time to begin its download; SigV4 allows at most a week. Milliseconds. */
const MIN_LIFE = 60_000;
const MAX_LIFE = 604_800_000;

/** The first invalid option, and why; null if all are valid. */
export function s3OptionProblem(options: S3ModelUrlOptions): { field: string; problem: string } | null {
  const { bucket, key, endpoint, expiresIn } = options;
  const found: [string, Problem][] = [
    ['bucket', typeof bucket === 'string' && bucket !== '' ? null : 'is required'],
    ['key', key === undefined || key !== '' ? null : 'must not be empty, e.g. "models/{name}.mpta"'],
    ['endpoint', endpoint === undefined ? null : endpointProblem(endpoint)],
    ['expiresIn', expiresIn === undefined ? null : lifeProblem(expiresIn)],
  ];
  for (const [field, problem] of found) if (problem !== null) return { field, problem };
  return null;
}

function endpointProblem(endpoint: string): Problem {
  const problem = httpUrlProblem(endpoint);
  if (problem !== null) return problem;
  const { username, password } = new URL(endpoint);
  return username === '' && password === '' ? null : 'must not hold credentials; give them as credentials';
}

function lifeProblem(expiresIn: number): Problem {
  return Number.isInteger(expiresIn) && expiresIn >= MIN_LIFE && expiresIn <= MAX_LIFE
    ? null
    : `must be a whole number of milliseconds from ${MIN_LIFE} to ${MAX_LIFE}, got ${String(expiresIn)}`;
}
