import { describe, expect, it } from 'vitest';
import { type SubscriptionChange } from './publisher.js';
import { CauseSink } from './cause-sink.js';

function collect() {
  const published: SubscriptionChange[] = [];
  return { published, publish: (change: SubscriptionChange) => published.push(change) };
}

const change = (cause: string, rows: SubscriptionChange['rows'] = null): SubscriptionChange => ({
  causes: [cause],
  rows,
});

describe('CauseSink', () => {
  it('publishes each cause once, on commit', () => {
    const { published, publish } = collect();
    const sink = new CauseSink();
    for (const cause of ['a', 'b', 'a']) sink.add(change(cause));
    expect(published).toEqual([]);
    sink.commit(publish);
    expect(published).toEqual([{ causes: ['a', 'b'], rows: null }]);
  });

  it('publishes nothing when nothing was changed', () => {
    const { published, publish } = collect();
    new CauseSink().commit(publish);
    expect(published).toEqual([]);
  });

  it('publishes the rows of all statements, or none when one statement does not return its own', () => {
    const { published, publish } = collect();
    const [known, unknown] = [new CauseSink(), new CauseSink()];
    for (const sink of [known, unknown]) {
      sink.add(change('display.updated', { displays: ['d1'] }));
      sink.add(change('display.updated', { displays: ['d1', 'd2'] }));
      sink.add(change('camera.updated', { cameras: ['c1'] }));
    }
    unknown.add(change('database.changed'));
    known.commit(publish);
    unknown.commit(publish);
    expect(published.map(({ rows }) => rows)).toEqual([
      { displays: ['d1', 'd2'], cameras: ['c1'], playlists: [], models: [] },
      null,
    ]);
  });

  it('lets late causes share the outcome', () => {
    const { published, publish } = collect();
    const [committed, rolledBack] = [new CauseSink(), new CauseSink()];
    committed.commit(publish);
    rolledBack.add(change('before'));
    rolledBack.drop();
    committed.add(change('late'));
    rolledBack.add(change('late'));
    expect(published).toEqual([change('late')]);
  });
});
