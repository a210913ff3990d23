import { expect, it } from 'vitest';
import { ExpiredLeader } from './expired-leader.js';

const one = { nodeId: 'backend:1', bootId: '1', lastSeen: '12:00' };
const two = { nodeId: 'backend:2', bootId: '2', lastSeen: '12:00' };

function after(reason: 'expired' | 'absent' | 'released', leaderId: string | null = 'backend:1') {
  const expired = new ExpiredLeader();
  expired.followed(leaderId);
  expired.followed(null);
  expired.acquired(reason);
  return expired;
}

it('holds a leader whose lease ran out for silent until it renews its registration', () => {
  const expired = after('expired');
  expect(expired.isSilent(two)).toBe(false);
  expect(expired.isSilent(one)).toBe(true);
  expect(expired.isSilent(one)).toBe(true);
  expect(expired.isSilent({ ...one, lastSeen: '12:01' })).toBe(false);
  expect(expired.isSilent(one)).toBe(false);
});

it('does not hold a leader for silent that gave up or died, and forgets it with the next term', () => {
  expect(after('released').isSilent(one)).toBe(false);
  expect(after('absent').isSilent(one)).toBe(false);
  expect(after('expired', null).isSilent(one)).toBe(false);
  const expired = after('expired');
  expired.acquired('expired');
  expect(expired.isSilent(one)).toBe(false);
});
