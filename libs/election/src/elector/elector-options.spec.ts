import { describe, expect, it } from 'vitest';
import { FakeElection } from '../testing/fake-election.js';
import { Elector } from './elector.js';

describe('Elector options', () => {
  const given = { backend: new FakeElection(), candidate: { id: 'me' } };

  it('names every duration that is wrong', () => {
    expect(() => new Elector({ ...given, handoverTimeout: -1, errorTimeout: NaN })).toThrow(
      new RangeError(
        'handoverTimeout must be a number of milliseconds from 0 to 2147483647, not -1; ' +
          'errorTimeout must be a number of milliseconds from 0 to 2147483647, not NaN',
      ),
    );
    expect(() => new Elector({ ...given, errorTimeout: Infinity })).toThrow('errorTimeout');
  });

  it('accepts 0', () => {
    expect(() => new Elector({ ...given, handoverTimeout: 0, errorTimeout: 0 })).not.toThrow();
  });
});
