import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeViolation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/**
 * What axe finds serious or critical on a page as it is now, one text each.
 * @param rules `colours` are those that depend on the theme
 */
export async function axeViolations(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  const options = {
    resultTypes: ['violations'],
    preload: false,
    ...(rules === 'colours' && { runOnly: { type: 'rule', values: ['color-contrast'] } }),
  };
  // By the debugger's channel, which the page's content security policy does not concern.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe);
  const violations = await page.evaluate<AxeViolation[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
}
