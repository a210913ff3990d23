import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseMarkdown } from './parse-markdown.js';
import type { Problem } from './problem.js';
import type { SourceNames } from './name-collector.js';

export interface NamesContext {
  readonly root: string;
  readonly names: SourceNames;
  /** Options of the command line programs. */
  readonly flags: ReadonlySet<string>;
  /** Package names with their exported paths, such as `@scope/name/testing`. */
  readonly entryPoints: ReadonlySet<string>;
}

/**
 * Finds project names in code marks that do not exist in the project. In a table, the first column has names of something else
 * and is not checked, unless the row begins with "as there": then the project has the same names.
 */
export function findUnknownNames(document: string, text: string, context: NamesContext): Problem[] {
  return parseMarkdown(document, text)
    .code.filter(({ column, row }) => column !== 0 || row?.[1]?.startsWith('as there') === true)
    .filter((code) => !isKnown(code.text, context))
    .map(({ line, text: code }) => ({ document, line, message: `\`${code}\` is not in the project` }));
}

function isKnown(code: string, { root, names, flags, entryPoints }: NamesContext): boolean {
  if (code.startsWith('--')) return flags.has(code);
  if (code.startsWith('@detector-cluster/')) return entryPoints.has(code);
  if (/^(libs|apps|docs|tools|test|samples|prisma|deploy)\//.test(code)) return existsSync(join(root, code));
  if (/^[\d_.,]+$/.test(code)) return names.numbers.has(Number(code.replaceAll(',', '')));
  const plain = code.replace(/^@(?=[A-Z])/, '').replace(/\(.*\)$/, '');
  const member = /^([A-Za-z_$][\w$]*)\.([A-Za-z_$][\w$]*)$/.exec(plain);
  if (member) return names.members.get(member[1]!)?.has(member[2]!) ?? false;
  if (/^[A-Za-z_$][\w$]*$/.test(plain) && names.declared.has(plain)) return true;
  return isText(code, names.texts);
}

/** A key, channel, event or other text. `{id}` and `<id>` are placeholders. */
function isText(code: string, texts: ReadonlySet<string>): boolean {
  const wanted = code.replaceAll(/\{[^}]+\}|<[^>]+>/g, '*');
  if (texts.has(wanted) || texts.has(wanted.replace(/^[A-Z]+ /, ''))) return true;
  // The program may add a prefix: `*master:commands` is the end of `worker:master:commands`.
  for (const text of texts) {
    if (!text.startsWith('*') || text.length < 5) continue;
    const end = text.slice(1);
    if (wanted.endsWith(end) && PREFIXES.includes(wanted.slice(0, -end.length))) return true;
    if (wanted.startsWith(':') && end.endsWith(wanted)) return true;
  }
  return false;
}

/** Prefixes of keys and channels. */
const PREFIXES = ['', 'worker:', 'master-election', 'master-election:'];
