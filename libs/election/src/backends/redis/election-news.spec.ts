import { describe, expect, it } from '@jest/globals';
import { candidateOfOwner } from './lease/lease-owner.js';
import { parseElectionNews } from './election-news.js';

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

describe('candidateOfOwner', () => {
  it('takes off the number of the campaign only', () => {
    expect(candidateOfOwner('cms:uuid:12')).toBe('cms:uuid');
  });
});
