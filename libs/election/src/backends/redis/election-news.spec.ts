import { describe, expect, it } from 'vitest';
import { parseElectionNews } from './election-keys.js';

describe('parseElectionNews', () => {
  it('reads an announcement', () => {
    const news = { term: 7, owner: 'a:1', reason: 'released' };
    expect(parseElectionNews(JSON.stringify({ ...news, more: true }))).toEqual(news);
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{}',
    '{"term":"7","owner":"a","reason":"released"}',
    '{"term":7,"owner":"a","reason":"x"}',
  ])('ignores %p', (message) => {
    expect(parseElectionNews(message)).toBeUndefined();
  });
});
