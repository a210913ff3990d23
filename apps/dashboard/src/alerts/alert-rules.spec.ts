import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ALERT_NAMES } from './alert-rules.js';
import { PROMETHEUS_RULES } from './prometheus-rules.generated.js';

const MANUAL = new URL('../../../cms-backend/README.md', import.meta.url);

describe('the alerts of the page', () => {
  it('are listed in the manual', () => {
    const [, list = ''] = /\*\*Alerts\.\*\*([^]*?)\n- \*\*/.exec(readFileSync(MANUAL, 'utf8')) ?? [];
    const listed = Array.from(list.matchAll(/`(\w+)`/g), ([, name]) => `DetectorCluster${name}`);
    expect(listed.toSorted()).toEqual(ALERT_NAMES.toSorted());
  });

  it('are in the order of their severities', () => {
    const severities = ALERT_NAMES.map((name) => PROMETHEUS_RULES[name].severity);
    expect(severities).toEqual(severities.toSorted());
  });
});
