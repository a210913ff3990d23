import { describe, expect, it } from 'vitest';
import { Report } from './report.js';

function record(json: boolean) {
  const written: string[] = [];
  let now = 1_000;
  const stream = (name: string) => ({ write: (text: string) => written.push(`${name} ${text}`) });
  const streams = { out: stream('out'), err: stream('err') };
  return {
    written,
    report: new Report(json, 'me', streams, () => now),
    pass: (time: number) => (now += time),
  };
}

describe('Report', () => {
  it('speaks to people on standard error, and passes on the output of commands behind their name', () => {
    const { report, written } = record(false);
    report.event('leader', 'leads in term 7', { term: 7 });
    report.output('begin', 'stdout', 'hello');
    report.output('begin', 'stderr', 'oh');
    expect(written).toEqual(['err elector: leads in term 7\n', 'out [begin] hello\n', 'err [begin] oh\n']);
  });

  it('speaks to programs in lines of JSON on standard output', () => {
    const { report, written } = record(true);
    report.event('leader', 'leads in term 7', { term: 7 });
    report.output('end', 'stdout', '"x"');
    const at = '1970-01-01T00:00:01.000Z';
    expect(written.map((line) => JSON.parse(line.slice(4)) as unknown)).toEqual([
      { at, instanceId: 'me', event: 'leader', term: 7 },
      { at, instanceId: 'me', event: 'output', command: 'end', stream: 'stdout', line: '"x"' },
    ]);
  });

  it('repeats the same error only at intervals', () => {
    const { report, written, pass } = record(false);
    for (const message of ['a', 'a', 'b', 'a']) report.error(new Error(message));
    pass(10_000);
    report.error(new Error('a'));
    expect(written).toEqual(['err elector: a\n', 'err elector: b\n', 'err elector: a\n']);
  });
});
