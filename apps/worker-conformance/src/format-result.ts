import type { Check } from './check.js';
import type { CheckResult } from './run-check.js';

const PROTOCOL = 'https://github.com/detector-cluster/detector-cluster/blob/main/docs/worker-protocol.md';

/** The paragraph of the protocol that a check proves. */
export const linkOf = ({ section }: Check) => `${PROTOCOL}#${section}`;

/** TAP, version 14. */
export function toTap({ check, outcome, reason = '' }: CheckResult, number: number): string {
  const line = `${outcome === 'failed' ? 'not ok' : 'ok'} ${number} - ${check.id}: ${escaped(check.rule)}`;
  if (outcome === 'skipped') return `${line} # SKIP ${escaped(reason)}`;
  if (outcome === 'passed') return line;
  return [line, '  ---', `  message: ${JSON.stringify(reason)}`, `  see: ${linkOf(check)}`, '  ...'].join(
    '\n',
  );
}

export function toJson({ check, milliseconds, outcome, reason }: CheckResult): string {
  return JSON.stringify({
    id: check.id,
    outcome,
    reason,
    rule: check.rule,
    see: linkOf(check),
    milliseconds,
  });
}

/** The reader of TAP takes `#` for the beginning of a directive. */
const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('#', '\\#').replaceAll('\n', ' ');
