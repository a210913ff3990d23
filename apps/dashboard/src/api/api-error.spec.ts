import { describe, expect, it } from 'vitest';
import { withQuery } from './api-client.js';
import { ApiError, messageOf, problemText } from './api-error.js';

describe('messageOf', () => {
  it('makes a sentence of any thrown value', () => {
    expect(messageOf(new ApiError('the service cannot be reached', 0))).toBe('The service cannot be reached');
    expect(messageOf('nothing')).toBe('Nothing');
    expect(messageOf('')).toBe('');
  });
});

describe('problemText', () => {
  it('names the error and the field', () => {
    const errors = [
      { pointer: '#/ids/0', detail: 'must be an id' },
      { parameter: 'limit', detail: 'is bad' },
    ];
    expect(problemText(422, { title: 'Not valid', detail: '2 problems', errors })).toBe(
      'Not valid: ids/0 must be an id; limit is bad',
    );
    expect(problemText(503, { title: 'Service unavailable', detail: 'no master' })).toBe(
      'Service unavailable: no master',
    );
    expect(problemText(404, { title: 'Not found', detail: 'Not found' })).toBe('Not found');
  });

  it.each([[undefined], [null], ['<html>'], [[]]])('falls back to the status for %j', (body) => {
    expect(problemText(502, body)).toBe('the service answered with status 502');
  });

  it('uses only the valid fields of problem details', () => {
    expect(problemText(500, { title: 7, errors: [null, { detail: 3 }] })).toBe('Status 500');
  });
});

describe('withQuery', () => {
  it('omits parameters without a value, and encodes the rest', () => {
    expect(withQuery('/x', { after: undefined, limit: null })).toBe('/x');
    expect(withQuery('/x', { after: '1-0', text: 'a&b', all: false })).toBe(
      '/x?after=1-0&text=a%26b&all=false',
    );
  });
});
