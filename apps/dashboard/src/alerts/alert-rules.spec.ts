import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ALERT_NAMES, ALERT_RULES } from './alert-rules.js';

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

/** Name → severity and `for` of each rule for Prometheus. */
const rules = new Map(
  read('deploy/prometheus/alerts.yml')
    .split('- alert: ')
    .slice(1)
    .map((text) => [
      text.split('\n', 1)[0]!,
      {
        severity: /severity: (\w+)/.exec(text)?.[1],
        for: Number(/^ +for: (\d+)m$/m.exec(text)?.[1] ?? 0) * 60_000,
      },
    ]),
);

describe('the alerts of the page', () => {
  it.each(ALERT_NAMES)('%s has the severity and the delay of the rule for Prometheus', (name) => {
    expect(ALERT_RULES[name]).toEqual(rules.get(name));
  });

  it('are listed in the manual', () => {
    const [, list = ''] = /\*\*Alerts\.\*\*([^]*?)\n- \*\*/.exec(read('apps/cms-backend/README.md')) ?? [];
    const listed = Array.from(list.matchAll(/`(\w+)`/g), ([, name]) => `DetectorCluster${name}`);
    expect(listed.toSorted()).toEqual(ALERT_NAMES.toSorted());
  });
});
