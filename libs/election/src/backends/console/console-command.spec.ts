import { describe, expect, it } from 'vitest';
import { parseConsoleCommand } from './console-command.js';

describe('parseConsoleCommand', () => {
  it.each([
    ['LEADER', { kind: 'leader', term: undefined }],
    ['  leader  42 ', { kind: 'leader', term: 42 }],
    ['NotLeader', { kind: 'follower', leaderId: null, term: undefined }],
    ['NOTLEADER Bob', { kind: 'follower', leaderId: 'Bob', term: undefined }],
    ['NOTLEADER Bob 7', { kind: 'follower', leaderId: 'Bob', term: 7 }],
    ['ERROR', { kind: 'error', message: '' }],
    ['error Disk full', { kind: 'error', message: 'Disk full' }],
  ])('reads %j', (line, command) => {
    expect(parseConsoleCommand(line)).toEqual(command);
  });

  it.each(['', 'LEAD', 'LEADER x', 'LEADER 0', 'LEADER 1 2', 'NOTLEADER Bob -1', 'NOTLEADER Bob 1 2'])(
    'refuses %j',
    (line) => {
      expect(parseConsoleCommand(line)).toBeUndefined();
    },
  );
});
