import { describe, expect, it } from 'vitest';
import { codesInManual } from '../wording/codes-in-manual.fixture.js';
import { REASON_DETAILS, REASONS, reasonText, SKIP_REASONS } from './reason-text.js';

describe('reasons', () => {
  const documented = codesInManual('statuses', '| reason   ', '## Troubleshooting');

  it('have words for each reason in the manual', () => {
    expect(documented).toContain('model-url-unavailable');
    expect(Object.keys(REASONS).toSorted()).toEqual(documented.toSorted());
    expect(Object.keys(REASON_DETAILS).toSorted()).toEqual(documented.toSorted());
  });

  it('of displays that are skipped have words', () => {
    const skipped = codesInManual('desired-state', 'lists it under `skipped`', 'in `detail`', 'text');
    expect(skipped).toContain('duplicate');
    expect(skipped.filter((code) => code !== 'skipped').toSorted()).toEqual(
      Object.keys(SKIP_REASONS).toSorted(),
    );
  });

  it('are shown as codes if they are unknown', () => {
    expect(reasonText('from-the-future')).toBe('from-the-future');
  });
});
