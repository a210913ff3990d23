// `npm run lint:language`: finds turns of phrase that STYLE.md rules out, in every text that a person reads.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Each turn, and what to write instead. Words match as whole words in any case, also across the end of a line. */
const TURNS = [
  ['whoever|whosoever', 'name the actor: "the process that", "callers that"'],
  ['anew', '"again"'],
  ['thereby|whereby|wherein|whereupon|therewith|thereof', 'begin a second sentence'],
  ['of which|of whom', '"whose", or begin a second sentence'],
  ['nobody|no one', 'name the actor: "no process", "no replica", "no caller"'],
  ['somebody|everybody', 'name the actor: "a process", "every participant", "all callers"'],
  ['is away|are away|was away|were away', '"is unavailable"'],
  ['comes? to power|came to power', '"becomes master"'],
  ['meanwhile', '"in the meantime", or "while …"'],
  ['of late|henceforth|hitherto|lest|ere|unto', 'the plain word'],
  ['shall', '"must", "may" or "will"'],
  ['for ever', '"forever", or say what ends it'],
  ['in vain', '"without a result"'],
  ['is no more|are no more', '"no longer exists"'],
  ['taken? for gone|taken? for dead', '"considered dead"'],
  ['goes on|go on|went on', '"continues"'],
  ['ever more|evermore', '"increasingly"'],
  ['need not|needs not', '"does not need to"'],
  ['knows? nothing of|know not|knows not', '"does not know"'],
  ['levelling|levelled|leveller', '"rebalancing", "balanced"'],
  ['withheld', '"redacted", or say that the process does not have it'],
  [String.raw`(?:most|longest|largest|least|fewest|shortest)_\w+`, '"MAX_…" or "MIN_…" for a bound'],
  ['told|tells? of', 'name the act: "sent", "notified", "reports", "asked to"'],
];

const TEXT = /\.(?:ts|tsx|mjs|js|md|lua|py|html|css|yml|yaml|prisma|sql|sh)$/;
/** The list itself, and texts that others wrote. */
const EXEMPT = /^(?:tools\/plain-english\.mjs|STYLE\.md|LICENSE)$|\.generated\./;

const listed = process.argv.slice(2);
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...listed], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
  .split('\n')
  .filter((file) => TEXT.test(file) && !EXEMPT.test(file));

// A comment that goes on in the next line begins with a star, slashes, a number sign or dashes.
const GAP = String.raw`(?:[ \t]+|[ \t]*\r?\n[ \t]*(?:\*|//+|#+|--+)?[ \t]*)`;
const patterns = TURNS.map(([turns, instead]) => ({
  instead,
  pattern: new RegExp(String.raw`(?<![\w-])(?:${turns.replaceAll(' ', GAP)})(?![\w-])`, 'gi'),
}));

let found = 0;
for (const file of files) {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    // Deleted in the work tree, and not yet in the index.
    if (error.code === 'ENOENT') continue;
    throw error;
  }
  for (const { instead, pattern } of patterns)
    for (const match of text.matchAll(pattern)) {
      const line = text.slice(0, match.index).split('\n').length;
      console.error(`${file}:${line}: "${match[0].replaceAll(/\s+/g, ' ')}": write ${instead}`);
      found++;
    }
}
if (found > 0) {
  console.error(`\n${found} turns of phrase that STYLE.md rules out`);
  process.exit(1);
}
console.log(`${files.length} files read: plain English`);
