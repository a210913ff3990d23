import { expect, it } from 'vitest';
import { blockOf } from './block-watch.js';

const FIRST = { at: 1_000, ran: 300, waited: 200 };

it.each([
  ['all of the time if it ran', { ran: 60, waited: 0, stolen: 0 }, 60],
  ['all of the time if it slept in a call', { ran: 5, waited: 0, stolen: 0 }, 60],
  ['the time without that in which others ran', { ran: 20, waited: 40, stolen: 0 }, 20],
  ['the time without that in which its host ran others', { ran: 35, waited: 0, stolen: 25 }, 35],
  ['the time in which it slept beside what was stolen', { ran: 35, waited: 0, stolen: 10 }, 50],
  [
    'the time in which it ran, whatever was stolen from other processors',
    { ran: 35, waited: 5, stolen: 90 },
    35,
  ],
])('a thread blocks its event loop for %s', (_, { ran, stolen, waited }, blocked) => {
  const second = { at: FIRST.at + 60, ran: FIRST.ran + ran, waited: FIRST.waited + waited };
  expect(blockOf(FIRST, second, stolen)).toBe(blocked);
});
