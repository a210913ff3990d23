import { describe, expect, it } from 'vitest';
import { type Growth, growthOf, MEASURES } from './measures.js';
import { soakReport } from './soak-report.js';
import { SoakRecords } from './soak-records.js';

const HOUR = 3_600_000;
const start = Date.UTC(2026, 0, 31, 12, 30);

function report(): Promise<string> {
  const records = new SoakRecords();
  for (let n = 0; n < 60; n++) {
    const at = start + n * 60_000;
    const values = { resident: 1e8, sockets: 20 + n, timers: 30, listeners: 200 };
    records.addGauge({ process: '<b>&"', at, heap: 4e7 + n, ...values }, 'follower');
    records.add('redis', 'keys', { at, value: 100 + (n % 2), group: '' });
    records.add('redis', 'data', { at, value: 1e6, group: '' });
  }
  const growth: Growth[] = growthOf(records.all, start, { heap: 1, sockets: 12, keys: 12, data: 1 });
  const figures = { ok: false, growing: ['x sockets'], kills: 2 };
  const kills = [start + 1_000, start + HOUR / 2];
  return soakReport({ start, warm: start + HOUR / 4, kills, series: records.all, growth, figures });
}

describe('soakReport', () => {
  it('needs neither a network nor a script', async () => {
    const html = await report();
    expect(html).not.toMatch(/<script|<link|@import|src=|url\(/i);
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  it('has a chart for each measure, with the kills and the warm-up', async () => {
    const html = await report();
    const titles = [...html.matchAll(/<h3>([^<]*)<\/h3>/g)].map(([, title]) => title!.split(',')[0]);
    expect(titles).toEqual(Object.values(MEASURES).map(({ title }) => title));
    expect(html.match(/class="kill"/g)).toHaveLength(2 * titles.length);
    expect(html).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('has a verdict for each growth', async () => {
    const html = await report();
    expect(html).toContain('2026-01-31 12:30 UTC');
    expect(html).toMatch(/Sockets<\/td><td class="number">60\.00<.*grows/);
    expect(html).toMatch(/Timers<\/td><td class="number">0\.00<.*not judged/);
    expect(html).toMatch(/Data in Redis, MB<\/td>.*within the limit/);
    expect(html).toContain('failed');
  });

  it('shows the names of processes as text', async () => {
    expect(await report()).not.toContain('<b>');
  });
});
