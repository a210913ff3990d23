import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { checkHistory, firstOfEach, type Findings } from './check-history.js';
import { drawHistory } from './draw-history.js';
import { History } from './history.js';

/** Violations of each promise. */
const MAX_SHOWN = 5;

function readOptions(): { readonly files: readonly string[]; readonly svg: boolean } {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { svg: { type: 'boolean', default: false } },
  });
  if (positionals.length === 0) throw new TypeError('give the file of a history, or several');
  return { files: positionals, svg: values.svg };
}

interface Answer extends Partial<Omit<Findings, 'violations'>> {
  readonly ok: boolean;
  /** The first ones of each promise. */
  readonly violations?: Findings['violations'];
  readonly svg?: string;
  readonly error?: string;
}

/** @param always also draws what kept every promise */
function check(file: string, always: boolean): Answer {
  try {
    const history = History.open(file);
    const { broken, figures, violations } = checkHistory(history);
    const ok = broken.length === 0;
    const answer = { ok, broken, figures, violations: firstOfEach(violations, MAX_SHOWN) };
    if (ok && !always) return answer;
    const svg = `${file}.svg`;
    writeFileSync(svg, drawHistory(history, { broken, figures, violations }));
    return { ...answer, svg };
  } catch (error) {
    return { ok: false, error: (error as Error).message };
  }
}

try {
  const { files, svg } = readOptions();
  for (const file of files) {
    const answer = check(file, svg);
    process.stdout.write(`${JSON.stringify({ file, ...answer })}\n`);
    if (!answer.ok) process.exitCode = 1;
  }
} catch (error) {
  process.stderr.write(`history: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
