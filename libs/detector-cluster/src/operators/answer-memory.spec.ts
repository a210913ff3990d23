import { describe, expect, it } from 'vitest';
import { AnswerMemory } from './answer-memory.js';

describe('AnswerMemory', () => {
  const term = {};

  it('distinguishes new, running and answered requests', () => {
    const memory = new AnswerMemory<object>();
    expect(memory.find('a', term)).toBeUndefined();
    memory.begin('a', term);
    expect(memory.find('a', term)).toBeNull();
    memory.finish('a', term, 'answer');
    expect(memory.find('a', term)).toBe('answer');
    memory.forget('a');
    expect(memory.find('a', term)).toBeUndefined();
  });

  it('ignores the requests of an earlier term, and its late answer', () => {
    const memory = new AnswerMemory<object>();
    const next = {};
    memory.begin('a', term);
    expect(memory.find('a', next)).toBeUndefined();
    memory.begin('a', next);
    memory.finish('a', term, 'late');
    expect(memory.find('a', next)).toBeNull();
  });

  it('forgets answers after their time, but not running requests', () => {
    let now = 0;
    const memory = new AnswerMemory<object>({ keepFor: 100, now: () => now });
    memory.begin('working', term);
    memory.begin('done', term);
    memory.finish('done', term, 'x');
    now = 99;
    memory.begin('b', term);
    expect(memory.find('done', term)).toBe('x');
    now = 100;
    memory.begin('c', term);
    expect(memory.find('done', term)).toBeUndefined();
    expect(memory.find('working', term)).toBeNull();
  });

  it('keeps to its limits by dropping the oldest first', () => {
    const memory = new AnswerMemory<object>({ most: 3, mostText: 10 });
    for (const id of ['a', 'b', 'c', 'd']) memory.begin(id, term);
    expect(memory.size).toBe(3);
    expect(memory.find('a', term)).toBeUndefined();
    for (const id of ['b', 'c', 'd']) memory.finish(id, term, '12345');
    expect(['b', 'c', 'd'].map((id) => memory.find(id, term))).toEqual([undefined, '12345', '12345']);
    memory.forget('c');
    memory.begin('e', term);
    memory.finish('e', term, '12345');
    expect(memory.find('d', term)).toBe('12345');
  });
});
