import { describe, expect, it } from '@jest/globals';
import { CauseSink } from './cause-sink.js';

function collect() {
  const published: string[][] = [];
  return { published, publish: (causes: Iterable<string>) => published.push([...causes]) };
}

describe('CauseSink', () => {
  it('publishes each cause once, on commit', () => {
    const { published, publish } = collect();
    const sink = new CauseSink();
    for (const cause of ['a', 'b', 'a']) sink.add(cause);
    expect(published).toEqual([]);
    sink.commit(publish);
    expect(published).toEqual([['a', 'b']]);
  });

  it('lets what comes late share the outcome', () => {
    const { published, publish } = collect();
    const [committed, rolledBack] = [new CauseSink(), new CauseSink()];
    committed.commit(publish);
    rolledBack.add('before');
    rolledBack.drop();
    committed.add('late');
    rolledBack.add('late');
    expect(published).toEqual([[], ['late']]);
  });
});
