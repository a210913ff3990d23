import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { afterFrame } from './after-frame.js';

describe('afterFrame', () => {
  let frames: Map<number, () => void>;
  let ran: string[];

  beforeEach(() => {
    vi.useFakeTimers();
    frames = new Map();
    ran = [];
    let last = 0;
    vi.stubGlobal('window', {
      setTimeout: globalThis.setTimeout,
      clearTimeout: globalThis.clearTimeout,
      requestAnimationFrame(callback: () => void) {
        frames.set(++last, callback);
        return last;
      },
      cancelAnimationFrame: (frame: number) => frames.delete(frame),
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  const draw = () => {
    for (const [frame, callback] of frames) {
      frames.delete(frame);
      callback();
    }
    ran.push('drawn');
  };

  it('runs the actions in order, after the next frame is drawn', () => {
    for (const name of ['a', 'b']) afterFrame(() => ran.push(name));
    vi.advanceTimersByTime(99);
    expect(ran).toEqual([]);
    draw();
    vi.advanceTimersByTime(1_000);
    expect(ran).toEqual(['drawn', 'a', 'b']);
  });

  it('does not wait for longer than 100 ms, because a hidden page draws no frames', () => {
    for (const name of ['a', 'b']) afterFrame(() => ran.push(name));
    vi.advanceTimersByTime(101);
    expect(ran).toEqual(['a', 'b']);
    draw();
    vi.advanceTimersByTime(1_000);
    expect(ran).toEqual(['a', 'b', 'drawn']);
  });
});
