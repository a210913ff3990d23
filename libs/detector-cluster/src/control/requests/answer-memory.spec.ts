import { describe, expect, it } from '@jest/globals';
import { AnswerMemory } from './answer-memory.js';

describe('AnswerMemory', () => {
  const tenure = {};

  it('distinguishes new, running and answered requests', () => {
    const memory = new AnswerMemory<object>();
    expect(memory.find('a', tenure)).toBeUndefined();
    memory.begin('a', tenure);
    expect(memory.find('a', tenure)).toBeNull();
    memory.finish('a', tenure, 'answer');
    expect(memory.find('a', tenure)).toBe('answer');
    memory.forget('a');
    expect(memory.find('a', tenure)).toBeUndefined();
  });

  it('ignores the requests of an earlier tenure, and its late answer', () => {
    const memory = new AnswerMemory<object>();
    const next = {};
    memory.begin('a', tenure);
    expect(memory.find('a', next)).toBeUndefined();
    memory.begin('a', next);
    memory.finish('a', tenure, 'late');
    expect(memory.find('a', next)).toBeNull();
  });

  it('forgets answers after their time, but not running requests', () => {
    let now = 0;
    const memory = new AnswerMemory<object>({ keepFor: 100, now: () => now });
    memory.begin('working', tenure);
    memory.begin('done', tenure);
    memory.finish('done', tenure, 'x');
    now = 99;
    memory.begin('b', tenure);
    expect(memory.find('done', tenure)).toBe('x');
    now = 100;
    memory.begin('c', tenure);
    expect(memory.find('done', tenure)).toBeUndefined();
    expect(memory.find('working', tenure)).toBeNull();
  });

  it('keeps to its limits by dropping the oldest first', () => {
    const memory = new AnswerMemory<object>({ most: 3, mostText: 10 });
    for (const id of ['a', 'b', 'c', 'd']) memory.begin(id, tenure);
    expect(memory.size).toBe(3);
    expect(memory.find('a', tenure)).toBeUndefined();
    for (const id of ['b', 'c', 'd']) memory.finish(id, tenure, '12345');
    expect(['b', 'c', 'd'].map((id) => memory.find(id, tenure))).toEqual([undefined, '12345', '12345']);
    memory.forget('c');
    memory.begin('e', tenure);
    memory.finish('e', tenure, '12345');
    expect(memory.find('d', tenure)).toBe('12345');
  });
});
