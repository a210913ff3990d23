import { describe, expect, it } from 'vitest';
import { untilCollected } from '../../../../test/support/until-collected.js';
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
    const memory = new AnswerMemory<object>(() => now);
    memory.begin('working', term);
    memory.begin('done', term);
    memory.finish('done', term, 'x');
    now = 59_999;
    memory.begin('b', term);
    expect(memory.find('done', term)).toBe('x');
    now = 60_000;
    memory.begin('c', term);
    expect(memory.find('done', term)).toBeUndefined();
    expect(memory.find('working', term)).toBeNull();
  });

  it('keeps no term', async () => {
    const memory = new AnswerMemory<object>();
    const answerInTerm = () => {
      const ended = {};
      memory.begin('working', ended);
      memory.begin('done', ended);
      memory.finish('done', ended, 'x');
      return new WeakRef(ended);
    };
    const left = answerInTerm();
    await untilCollected(left);
    expect(memory.size).toBe(2);
  });

  it('keeps to its limits by dropping the oldest first', () => {
    const memory = new AnswerMemory<object>();
    for (let id = 0; id <= 1_000; id++) memory.begin(`${id}`, term);
    expect(memory.size).toBe(1_000);
    expect(memory.find('0', term)).toBeUndefined();
    const half = 'x'.repeat(8 * 1024 * 1024);
    for (const id of ['1', '2', '3']) memory.finish(id, term, half);
    const lengths = () => ['1', '2', '3'].map((id) => memory.find(id, term)?.length);
    expect(lengths()).toEqual([undefined, half.length, half.length]);
    memory.forget('2');
    memory.begin('new', term);
    memory.finish('new', term, half);
    expect(lengths()).toEqual([undefined, undefined, half.length]);
  });
});
