import { tempDirectory } from '@detector-cluster/dev-services';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkHistory, type Findings } from './check-history.js';
import { drawHistory } from './draw-history.js';
import { at, delivery, goodHistory } from './good-history.fixture.js';
import { History } from './history.js';
import type { HistoryLine } from './history-line.js';

let directory: string;
beforeAll(async () => {
  directory = await tempDirectory('histories');
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Lines after the end do not count. */
async function opened(given: readonly HistoryLine[]): Promise<History> {
  const lines = [...given.filter(({ end }) => !end), ...given.filter(({ end }) => end)];
  const path = join(directory, 'history.jsonl');
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return History.open(path);
}

const checked = async (lines: readonly HistoryLine[]): Promise<Findings> => checkHistory(await opened(lines));

type Change = (lines: HistoryLine[]) => HistoryLine[];

const without =
  (...ids: string[]) =>
  (...kinds: (keyof HistoryLine)[]): Change =>
  (lines) =>
    lines.filter((line) => {
      const id = line.accepted?.id ?? line.finished ?? line.delivery?.detectionId ?? '';
      return !ids.includes(id) || !kinds.some((kind) => kind in line);
    });
const and =
  (...more: HistoryLine[]): Change =>
  (lines) => [...lines, ...more];
const deliveredAt =
  (id: string, instant: number): Change =>
  (lines) =>
    lines.map((line) =>
      line.delivery?.detectionId === id ? { delivery: { ...line.delivery, startedAt: instant } } : line,
    );

/** Nothing is accepted between 6 and 9.4 s. */
const silent: Change = (lines) =>
  lines.map((line) =>
    line.accepted && line.accepted.at > at(6_000)
      ? { accepted: { ...line.accepted, at: line.accepted.at + 3_300 } }
      : line.sending
        ? { sending: { ...line.sending, to: at(14_000) } }
        : line,
  );

describe('checkHistory', () => {
  it('finds nothing in a history in which every promise holds', async () => {
    const { broken, figures, violations } = await checked(goodHistory());
    expect({ broken, violations }).toEqual({ broken: [], violations: [] });
    expect(figures).toMatchObject({ accepted: 100, faults: 1, moves: 0, starvedMs: 1_000 });
  });

  it.each<[string, readonly string[], Change, RegExp]>([
    ['a delivery is missing', ['lost'], without('1-1-40')('delivery'), /^detection 1-1-40$/],
    [
      'Redis still has a detection',
      ['unfinished'],
      without('1-1-40')('finished'),
      /^unfinished is 1, and may be 0$/,
    ],
    [
      'a callback starts after one of a later detection',
      ['lateStarts'],
      deliveredAt('1-1-40', delivery(46).startedAt + 1),
      /^detection 1-1-40 of d1;c1$/,
    ],
    [
      'Redis accepts in another order',
      ['lateStarts', 'lateAcceptances', 'lostSent'],
      (lines) => [...without('1-1-40')('accepted')(lines), { accepted: { id: '1-1-40', at: at(9_990) } }],
      /^detection 1-1-4\d of d1;c1$/,
    ],
    [
      'an acceptance is missing',
      ['unaccounted', 'lostSent'],
      without('1-1-40')('accepted'),
      /1-1-40 of d1;c1$/,
    ],
    [
      'a detection was never accepted',
      ['lostSent'],
      without('1-1-40')('accepted', 'delivery', 'finished'),
      /^its detections \d+ to \d+ of d1;c1$/,
    ],
    [
      'a log was full',
      ['dropped', 'lostSent'],
      (lines) => [...without('1-1-40')('delivery', 'finished')(lines), { dropped: '1-1-40' }],
      /^dropped is 1/,
    ],
    [
      'too much is delivered again',
      ['duplicates'],
      and(...Array.from({ length: 65 }, () => ({ delivery: delivery(3, { startedAt: 9e15 }) }))),
      /^duplicates is 65, and may be 64$/,
    ],
    [
      'nothing is accepted for long',
      ['maxRefusedMs'],
      silent,
      /^nothing was accepted for 34\d\d ms, 3\d\d\d ms of it without an excuse$/,
    ],
    [
      'two processes are master',
      ['rivals'],
      and(
        { claim: { process: 'backend-1', term: 11, at: at(10_000) } },
        { claim: { process: 'backend-2', term: 11, at: at(10_050) } },
        { claim: { process: 'backend-1', term: 11, at: at(10_100) } },
      ),
      /^it is master in term 11, and another one is$/,
    ],
    [
      'a term goes back',
      ['termsBack'],
      and(
        { claim: { process: 'backend-2', term: null, at: at(10_000) } },
        { claim: { process: 'backend-1', term: 8, at: at(10_100) } },
      ),
      /^term 8 follows a higher one$/,
    ],
    [
      'Redis accepts a write of a former master',
      ['staleWrites'],
      (lines) => lines.map((line) => (line.fenced ? { fenced: { ...line.fenced, accepted: true } } : line)),
      /^a write of term 7$/,
    ],
    [
      'a worker carries out a command of a former master',
      ['staleCommands'],
      and({
        command: {
          worker: 'worker-1',
          process: 201,
          type: 'unsubscribe',
          term: 7,
          fencing: true,
          at: at(7_000),
        },
      }),
      /^unsubscribe of term 7$/,
    ],
    [
      'the run has not reached its end',
      ['end', 'duplicates'],
      (lines) => [...lines.filter(({ end }) => !end), { delivery: delivery(3, { startedAt: 9e15 }) }],
      /^the run was interrupted/,
    ],
  ])('refuses a history in which %s', async (_name, broken, change, what) => {
    const history = await opened(change(goodHistory()));
    const findings = checkHistory(history);
    expect(findings.broken.toSorted()).toEqual(broken.toSorted());
    expect(findings.violations.map((each) => each.what)).toContainEqual(expect.stringMatching(what));
    const svg = drawHistory(history, findings);
    for (const name of broken) expect(svg).toContain(`>${name}: `);
  });

  it.each<[string, string, Change]>([
    ['a delivery is missing', 'lost', without('1-1-40')('delivery')],
    ['a callback starts too late', 'outOfOrder', deliveredAt('1-1-40', delivery(46).startedAt + 1)],
  ])('refuses a history in which masters say what was accepted, and %s', async (_name, promise, change) => {
    const lines = goodHistory({ acceptance: 'masters', promises: ['lost', 'outOfOrder'] });
    expect((await checked(lines)).broken).toEqual([]);
    expect((await checked(change(lines))).broken).toEqual([promise]);
  });

  it('excuses what the scenario has made Redis forget', async () => {
    const lines = without('1-1-40')('delivery')(goodHistory({ acceptance: 'masters', promises: ['lost'] }));
    expect((await checked([...lines, { forgotten: '1-1-40' }])).broken).toEqual([]);
  });

  it('excuses times without a processor', async () => {
    for (const [instant, broken] of [
      [6_300, ['maxRefusedMs']],
      [7_000, []],
    ] as const) {
      const starved = { process: 101, at: at(instant), ms: 1_000 };
      expect((await checked([...silent(goodHistory()), { starved }])).broken).toEqual(broken);
    }
  });

  it('does not judge what the run has not promised, and writes of a worker that does not know terms', async () => {
    const lines = without('1-1-40')('delivery')(goodHistory({ promises: ['staleCommands'] }));
    const late = { worker: 'worker-2', process: 201, type: 'unsubscribe', fencing: false };
    const commands = [9, 7].map((term) => ({ command: { ...late, term, at: at(7_000) } }));
    expect((await checked([...lines, ...commands])).broken).toEqual([]);
  });

  it('refuses the name of a promise that it does not know', async () => {
    await expect(checked(goodHistory({ promises: ['luck'] }))).rejects.toThrow(
      'history.promises: there is no figure luck',
    );
  });
});
