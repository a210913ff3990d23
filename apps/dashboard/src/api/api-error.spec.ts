import { describe, expect, it } from '@jest/globals';
import { ApiError, messageOf } from './api-error.js';

describe('messageOf', () => {
  it('makes a sentence of any thrown value', () => {
    expect(messageOf(new ApiError('the service cannot be reached', 0, null))).toBe(
      'The service cannot be reached',
    );
    expect(messageOf('nothing')).toBe('Nothing');
    expect(messageOf('')).toBe('');
  });
});
