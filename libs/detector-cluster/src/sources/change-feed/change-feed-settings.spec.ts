import { describe, expect, it } from 'vitest';
import { changeFeedProblems, type ChangeFeedOptions } from './change-feed-settings.js';

describe('changeFeedProblems', () => {
  it('reports no problem of a valid address', () => {
    expect(changeFeedProblems({ connectionString: 'postgresql://u:p@h/d?schema=public' })).toEqual([]);
  });

  it('names every problem at once, without credentials', () => {
    const problems = changeFeedProblems({
      connectionString: 'mysql://user:secret@h/d',
      probeInterval: 0,
      timeout: Number.NaN,
      tables: { Camera: [] },
    });
    expect(problems.map((problem) => problem.slice(0, problem.indexOf(':')))).toEqual([
      'changeFeed.connectionString',
      'changeFeed.probeInterval',
      'changeFeed.timeout',
      'changeFeed.tables.Camera',
    ]);
    expect(problems.join('\n')).not.toContain('secret');
  });

  it.each([
    [{}, 'is required'],
    [{ connectionString: 5 }, 'is required'],
    [null, 'must be an object'],
  ])('refuses %j', (raw, problem) => {
    expect(changeFeedProblems(raw as ChangeFeedOptions).join()).toContain(problem);
  });
});
