import { describe, expect, it } from 'vitest';
import { alertsSeenFiring, readAlertRules, runbookSections } from './alert-rules.js';

const rules = readAlertRules();
const names = rules.map(({ alert }) => alert);

describe('the alerts', () => {
  it('have a section each in the runbook, and no other alert has one', () => {
    expect(runbookSections().sort()).toEqual([...names].sort());
  });

  it.each(rules)('$alert has a severity, a summary and a link to the runbook', (rule) => {
    expect(rule.labels).toEqual({ severity: expect.stringMatching(/^(?:critical|warning)$/) });
    expect(rule.annotations).toEqual({
      summary: expect.stringMatching(/\w/),
      description: expect.stringMatching(/\.$/),
      runbook_url: `docs/operations.md#${rule.alert.toLowerCase()}`,
    });
  });

  it('all fire in the tests of the rules', () => {
    expect([...alertsSeenFiring()].sort()).toEqual([...names].sort());
  });
});
