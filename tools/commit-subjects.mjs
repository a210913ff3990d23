// `npm run lint:commits [-- <base>]`: checks the subjects of the commits that the current branch adds to its base.
import { spawnSync } from 'node:child_process';

const TYPES = 'build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test';
const MAX_LENGTH = 72;
const SHAPE = new RegExp(String.raw`^(?:${TYPES})(?:\([a-z0-9-]+(?:,[a-z0-9-]+)*\))?!?: (\S.*)$`);
/** A subject that begins so has no imperative verb. */
const NO_VERB = /^(?:an?|the|it|its|every|each|nothing|what|this|that|these|those)\b/i;

function git(...args) {
  const { status, stdout, error } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (error) throw error;
  return status === 0 ? stdout.trim() : null;
}

const commitOf = (name) => git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);

/** @returns {string[]} what is wrong with a subject */
function problemsOf(subject) {
  const problems = [];
  const { length } = [...subject];
  if (length > MAX_LENGTH) problems.push(`${length} characters: at most ${MAX_LENGTH}`);
  const description = SHAPE.exec(subject)?.[1];
  if (description === undefined) problems.push(`write "type(scope): description"; types: ${TYPES}`);
  else if (NO_VERB.test(description)) problems.push('begin the description with a verb in the imperative');
  if (subject.endsWith('.')) problems.push('no full stop at the end');
  return problems;
}

function findBase() {
  const [given] = process.argv.slice(2);
  if (given !== undefined) {
    if (commitOf(given) === null) throw new Error(`${given} is not a commit of this clone`);
    return given;
  }
  const { GITHUB_BASE_REF } = process.env;
  const names = [
    ...(GITHUB_BASE_REF ? [`origin/${GITHUB_BASE_REF}`] : []),
    'origin/HEAD',
    'origin/main',
    'main',
  ];
  return names.find((name) => commitOf(name) !== null);
}

const base = findBase();
// The history of a shallow clone may end before the point at which the branch has left its base.
const fork = base === undefined ? null : git('merge-base', base, 'HEAD');
if (fork === null) {
  console.log('commit subjects: not checked, this clone does not show where the branch has left its base');
  process.exit(0);
}

const lines = git('log', '--no-merges', '--format=%h %s', `${base}..HEAD`).split('\n').filter(Boolean);
let found = 0;
for (const line of lines) {
  const [hash] = line.split(' ', 1);
  const subject = line.slice(hash.length + 1);
  for (const problem of problemsOf(subject)) {
    console.error(`${hash} "${subject}": ${problem}`);
    found++;
  }
}
if (found > 0) {
  console.error(`\n${found} problems in subjects of commits: see CONTRIBUTING.md, Conventions`);
  process.exit(1);
}
console.log(`${lines.length} commits since ${base}: subjects follow the conventions`);
