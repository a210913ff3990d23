import { errorMonitor } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { SafeEmitter } from './safe-emitter.js';

interface Events {
  news: [text: string];
  error: [error: Error];
}

class Emitter extends SafeEmitter<Events> {
  readonly unheardErrors: string[] = [];
  say(text: string): void {
    this.fire('news', text);
  }
  fail(message: string): void {
    this.fire('error', new Error(message));
  }
  protected unheard(error: Error): void {
    this.unheardErrors.push(error.message);
  }
}

const throwing = () => {
  throw new Error('broken');
};

describe('SafeEmitter', () => {
  let emitter: Emitter;
  let heard: string[];
  beforeEach(() => {
    emitter = new Emitter();
    heard = [];
  });
  /** Event emitters are typed without this symbol. */
  const monitor = (listener: (error: Error) => void) =>
    emitter.on(errorMonitor as unknown as 'error', listener);

  it('delivers events to all listeners in the same order, even if listeners emit', () => {
    emitter.on('news', (text) => {
      heard.push(`first ${text}`);
      if (text === 'a') emitter.say('b');
    });
    emitter.on('news', (text) => heard.push(`second ${text}`));
    emitter.say('a');
    expect(heard).toEqual(['first a', 'second a', 'first b', 'second b']);
  });

  it('reports listeners that throw or reject, and calls the others', async () => {
    emitter.on('error', ({ message }) => heard.push(message));
    emitter.on('news', throwing);
    emitter.on('news', (() => Promise.reject(new Error('later'))) as never);
    emitter.on('news', (text) => heard.push(text));
    emitter.say('a');
    await Promise.resolve();
    expect(heard).toEqual([
      'a',
      "a listener of 'news' failed: Error: broken",
      "a listener of 'news' failed: Error: later",
    ]);
  });

  it('passes on errors that have no listener, also those of listeners of errors', () => {
    emitter.fail('one');
    emitter.on('error', throwing);
    emitter.fail('two');
    expect(emitter.unheardErrors).toEqual(['one', "a listener of 'error' failed: Error: broken"]);
  });

  it('shows every error to monitors, which do not count as listeners', () => {
    monitor(({ message }) => heard.push(`monitor ${message}`));
    emitter.fail('one');
    emitter.on('error', ({ message }) => heard.push(message));
    emitter.fail('two');
    expect(heard).toEqual(['monitor one', 'monitor two', 'two']);
    expect(emitter.unheardErrors).toEqual(['one']);
  });

  it('survives a monitor that throws', () => {
    monitor(throwing);
    emitter.on('error', ({ message }) => heard.push(message));
    emitter.fail('one');
    expect(heard).toEqual(['one']);
    expect(emitter.unheardErrors).toEqual(["a listener of 'error' failed: Error: broken"]);
  });
});
