import type { DetectionItem } from '@detector-cluster/dashboard-protocol';
import { describe, expect, it } from 'vitest';
import { detection } from '../detections/detection.fixture.js';
import { PagedAnswer, type ListQuery, type Page } from './paged-answer.js';

type Answer = Page<DetectionItem>;

function search(...answers: (Answer | Error)[]) {
  const asked: ListQuery[] = [];
  const found = new PagedAnswer(async (query: ListQuery) => {
    asked.push(query);
    const answer = answers.shift()!;
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const ids = () => found.items.value?.map(({ detectionId }) => detectionId);
  return { asked, found, ids };
}

const answer = (nextCursor: string | null, ...ids: string[]): Answer => ({
  items: ids.map((detectionId) => detection(detectionId)),
  nextCursor,
});

describe('PagedAnswer', () => {
  it('reads on where it stopped, and begins again with another query', async () => {
    const { asked, found, ids } = search(answer('c', '1', '2'), answer(null, '3'), answer(null, '9'));
    await found.begin({ camera: 'gate' });
    expect([ids(), found.more.value]).toEqual([['1', '2'], true]);
    await found.next();
    expect([ids(), found.more.value]).toEqual([['1', '2', '3'], false]);
    await found.begin({ label: 'DC' });
    expect(ids()).toEqual(['9']);
    expect(asked).toEqual([{ camera: 'gate' }, { camera: 'gate', cursor: 'c' }, { label: 'DC' }]);
  });

  it('reads each page once, however often it is asked for more', async () => {
    const { asked, found, ids } = search(answer('c', '1'), answer(null, '2'), answer(null, 'again'));
    const first = found.begin({});
    await Promise.all([first, found.next()]);
    await Promise.all([found.next(), found.next()]);
    await found.next();
    expect(ids()).toEqual(['1', '2']);
    expect(asked).toEqual([{}, { cursor: 'c' }]);
  });

  it('keeps nothing of an earlier query when it asks again for the first page of a later one', async () => {
    const { found, ids } = search(answer(null, 'old'), new Error('away'), answer(null, 'new'));
    await found.begin({ camera: 'a' });
    await found.begin({ camera: 'b' });
    await found.next();
    expect(ids()).toEqual(['new']);
  });

  it('keeps what it has found when the service fails', async () => {
    const { found, ids } = search(answer('c', '1'), new Error('away'), answer(null, '2'));
    await found.begin({});
    await found.next();
    expect([ids(), found.problem.value, found.more.value]).toEqual([['1'], 'Away', true]);
    await found.next();
    expect([ids(), found.problem.value]).toEqual([['1', '2'], null]);
  });

  it('ignores the answer to an earlier question', async () => {
    let arrive!: (late: Answer) => void;
    const late = new Promise<Answer>((resolve) => (arrive = resolve));
    const answers = [late, Promise.resolve(answer(null, 'new'))];
    const found = new PagedAnswer(() => answers.shift()!);
    const first = found.begin({ camera: 'a' });
    await found.begin({ camera: 'b' });
    arrive(answer('c', 'old'));
    await first;
    expect(found.items.value?.map(({ detectionId }) => detectionId)).toEqual(['new']);
    expect(found.more.value).toBe(false);
  });

  it('forgets what it found, and what is still on its way', async () => {
    const { found, ids } = search(answer('c', '1'), answer('c', '2'));
    await found.begin({});
    const second = found.begin({});
    found.clear();
    await second;
    expect([ids(), found.more.value, found.loading.value]).toEqual([undefined, false, false]);
  });
});
