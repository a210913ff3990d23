import { describe, expect, it } from 'vitest';
import { createGroupMember } from './create-group-member.js';
import { MemoryLeaderStore } from '../store/memory-leader-store.js';

const store = new MemoryLeaderStore();
const problemsOf = (options: object) => {
  try {
    createGroupMember(options as never);
  } catch (error) {
    return (error as { problems: string[] }).problems;
  }
  return [];
};

describe('createGroupMember', () => {
  it('disables neither the secret nor TLS unless asked', () => {
    expect(problemsOf({ internalAddress: '10.0.0.1:7400', store })).toEqual([
      expect.stringMatching(/^secret must be set .* secret: false leaves the group open/),
      expect.stringMatching(/^tls must be \{ key, cert, ca \}.* tls: false/),
    ]);
    expect(problemsOf({ internalAddress: '10.0.0.1:7400', store, secret: false, tls: false })).toEqual([]);
  });

  it.each([
    [{ internalAddress: '10.0.0.1' }, /^internalAddress must be host:port/],
    [{ internalAddress: 'http://10.0.0.1:80' }, /^internalAddress must be host:port/],
    [{ internalAddress: '10.0.0.1:99999' }, /^internalAddress must be host:port/],
    [{ secret: 'short' }, /^secret must have at least 16 characters/],
    [{ tls: { key: 'x' } }, /^tls.cert must be PEM/],
    [{ maxPayload: 1 }, /^maxPayload must be a whole number/],
    [{ listen: { port: -1 } }, /^listen.port/],
    [{ intervall: 5 }, /^intervall is not an option/],
    [{ quorum: 'yes' }, /^quorum must be true or false/],
  ])('names what is wrong with %j', (wrong, problem) => {
    const problems = problemsOf({
      internalAddress: '10.0.0.1:7400',
      store,
      secret: false,
      tls: false,
      ...wrong,
    });
    expect(problems[0]).toMatch(problem);
  });
});
