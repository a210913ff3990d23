import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runbookPage } from './runbook-page.js';

const manual = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');

describe('the page of the runbook', () => {
  const page = runbookPage(manual);

  it('has a section that says what to do for each alert', () => {
    const names = Array.from(manual.matchAll(/^#### (DetectorCluster\w+)$/gm), ([, name]) => name!);
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) {
      const [, section = ''] = page.split(`<h3 id="${name.toLowerCase()}">${name}</h3>`);
      expect(section.split('<h3')[0]).toContain('<strong>Do:</strong>');
    }
  });

  it('links only to its own sections', () => {
    const targets = Array.from(page.matchAll(/<a href="([^"]*)"/g), ([, href]) => href!);
    expect(targets.length).toBeGreaterThan(2);
    for (const target of targets) expect(page).toContain(`id="${target.slice(1)}"`);
    expect(page).not.toMatch(/\]\(|\*\*|`/);
  });

  it('shows text as text', () => {
    const text =
      '## Runbook\n\n#### A\n\n<b> & `<i>` **x** [y](z.md#w) [q](#a) [r](#gone)\n\n- one\n- two\n\n## Next\n\nno';
    expect(runbookPage(text)).toContain(
      '<h3 id="a">A</h3>\n' +
        '<p>&lt;b&gt; &amp; <code>&lt;i&gt;</code> <strong>x</strong> y (z.md) <a href="#a">q</a> r</p>\n' +
        '<ul><li>one</li><li>two</li></ul>\n',
    );
    expect(runbookPage(text)).not.toContain('no</p>');
    expect(() => runbookPage('# Other')).toThrow('no section "Runbook"');
  });
});
