import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkedPosition,
  following,
  parseHistory,
  whyBehind,
  type DatabaseHistory,
  type DatabasePosition,
} from './database-history.js';

const at = (timeline: number, lsn: string, system = 'a'): DatabasePosition => ({ system, timeline, lsn });
const seen = (position: DatabasePosition, ...left: string[]): DatabaseHistory => ({ ...position, left });

describe('whyBehind', () => {
  it.each<[string, DatabaseHistory | null, DatabasePosition, RegExp | null]>([
    ['the first read', null, at(1, '0/10'), null],
    ['the same position', seen(at(1, '0/10')), at(1, '0/10'), null],
    ['a later position', seen(at(1, '0/FFFFFFFF')), at(1, '1/0'), null],
    [
      'an earlier position',
      seen(at(1, '1/0')),
      at(1, '0/FFFFFFFF'),
      /is at 0\/FFFFFFFF, and 1\/0 has been read/,
    ],
    ['a promoted standby that lacks the last writes', seen(at(1, '0/20')), at(2, '0/10'), null],
    ['a former primary with later writes', seen(at(2, '0/10')), at(1, '0/20'), /timeline 1, and timeline 2/],
    ['another system', seen(at(7, '9/0')), at(1, '0/10', 'b'), null],
    ['a system that was replaced', seen(at(1, '0/10', 'b'), 'a'), at(8, '9/0'), /system a, which system b/],
  ])('%s', (_name, before, next, reason) => {
    if (reason === null) expect(whyBehind(before, next)).toBeNull();
    else expect(whyBehind(before, next)).toMatch(reason);
  });
});

/** Each write adds a camera or removes it. */
type Log = readonly { readonly camera: number; readonly exists: boolean }[];

interface Server {
  readonly timeline: number;
  readonly log: Log;
  /** Others have the data of a moment: standbys that lag, and images of disks. */
  readonly isPrimary: boolean;
}

const startsWith = (log: Log, start: Log) => start.every((write, i) => log[i] === write);

const server = fc.nat(3);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ write: server, camera: fc.nat(4), exists: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ copy: server, length: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ promote: server }) },
  { weight: 4, arbitrary: fc.record({ read: server }) },
);

/** Servers of one system. A former primary that was not stopped may have more writes than the one that was promoted. */
class Servers {
  private readonly all: Server[] = [{ timeline: 1, log: [], isPrimary: true }];

  at(place: number): Server {
    return this.all[place % this.all.length]!;
  }

  get primary(): Server {
    return this.all.filter(({ isPrimary }) => isPrimary).reduce((a, b) => (b.timeline > a.timeline ? b : a));
  }

  write(place: number, write: Log[number]): void {
    const { log, isPrimary } = this.at(place);
    if (isPrimary) this.change(place, { log: [...log, write] });
  }

  copy(place: number, length: number): void {
    const { log, timeline } = this.at(place);
    this.all.push({ timeline, log: log.slice(0, length), isPrimary: false });
  }

  promote(place: number): void {
    if (!this.at(place).isPrimary)
      this.change(place, { timeline: this.primary.timeline + 1, isPrimary: true });
  }

  private change(place: number, change: Partial<Server>): void {
    this.all[place % this.all.length] = { ...this.at(place), ...change };
  }
}

describe('a cluster that reads from any of several servers', () => {
  it('counts only what has all that it has read, or is of a later primary; and always counts the present primary', () => {
    const counted = { behind: 0, failovers: 0 };
    const run = (steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) => {
      const servers = new Servers();
      let history: DatabaseHistory | null = null;
      let before: Server | null = null;
      for (const each of steps) {
        if ('write' in each) servers.write(each.write, each);
        else if ('copy' in each) servers.copy(each.copy, each.length);
        else if ('promote' in each) servers.promote(each.promote);
        else {
          const next = servers.at(each.read);
          const position = at(next.timeline, `0/${next.log.length.toString(16)}`);
          if (whyBehind(history, position) !== null) {
            expect(next).not.toBe(servers.primary);
            counted.behind++;
            continue;
          }
          const isLater = before !== null && next.timeline > before.timeline;
          expect(before === null || isLater || startsWith(next.log, before.log)).toBe(true);
          if (isLater) counted.failovers++;
          history = following(history, position);
          before = next;
        }
      }
    };
    fc.assert(fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), run), { numRuns: 500 });
    expect(counted.behind).toBeGreaterThan(100);
    expect(counted.failovers).toBeGreaterThan(100);
  });
});

describe('following', () => {
  it('remembers the systems that were replaced', () => {
    const first = following(null, at(3, '0/10'));
    const second = following(first, at(1, '0/5', 'b'));
    expect(second).toEqual(seen(at(1, '0/5', 'b'), 'a'));
    expect(following(second, at(1, '0/6', 'b'))).toEqual(seen(at(1, '0/6', 'b'), 'a'));
  });
});

describe('parseHistory', () => {
  it('reads what was written, and nothing else', () => {
    const record = { history: seen(at(1, '0/10'), 'b'), refused: null };
    expect(parseHistory(JSON.stringify(record))).toEqual(record);
    for (const text of [null, '', '{', '{}', '{"history":{"system":"a"},"refused":null}'])
      expect(parseHistory(text)).toBeNull();
  });
});

describe('checkedPosition', () => {
  it.each([
    [{ system: 'a', timeline: 1, lsn: 16 }, /^desiredState: position\.lsn: /],
    [{ system: 'a', timeline: 0, lsn: '0/1' }, /^desiredState: position\.timeline: /],
    ['primary', /^desiredState: position: /],
  ])('refuses %j and names the field', (given, message) => {
    expect(() => checkedPosition(given)).toThrow(message);
  });
});
