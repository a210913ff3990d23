import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Elector } from '../../elector/elector.js';
import { VirtualClock } from '../../testing/virtual-clock.js';
import { ConsoleElectionBackend } from './console-election-backend.js';

const settle = async () => {
  for (let i = 0; i < 5; i++) await setImmediate();
};

describe('ConsoleElectionBackend', () => {
  let clock: VirtualClock;
  let input: PassThrough;
  let output: PassThrough;
  let backend: ConsoleElectionBackend;
  let elector: Elector;
  let log: string[];

  const type = async (...lines: string[]) => {
    for (const line of lines) input.write(`${line}\n`);
    await settle();
  };
  /** Newer versions of Node return one written piece per call, older ones all of them. */
  const said = () => {
    let text = '';
    for (let piece: unknown; (piece = output.read()) !== null;) text += String(piece);
    return text;
  };

  beforeEach(async () => {
    clock = new VirtualClock(10_000);
    input = new PassThrough();
    output = new PassThrough();
    backend = new ConsoleElectionBackend({ input, output, clock });
    log = [];
    elector = new Elector({
      backend,
      candidate: { id: 'me' },
      clock,
      handlers: {
        begin: ({ term }) => log.push(`begin ${term}`),
        end: ({ term, reason }) => log.push(`end ${term} ${reason}`),
        error: ({ name, message }) => log.push(`${name}: ${message}`),
      },
    });
    elector.start();
    await settle();
  });

  afterEach(async () => {
    await elector.stop();
    await backend.close();
    expect(clock.pending).toBe(0);
  });

  it('shows which commands can be typed', () => {
    expect(said()).toBe('me competes; type LEADER [term], NOTLEADER [leader [term]] or ERROR [message]\n');
  });

  it('leads and follows on command, in upper and lower case', async () => {
    await type('LEADER 5', 'leader', 'NotLeader Bob 6');
    expect(log).toEqual(['begin 5', 'end 5 refused']);
    expect([elector.leaderId, elector.term]).toEqual(['Bob', 6]);
    await type('LEADER');
    expect(log.at(-1)).toBe('begin 1700000010000');
    await type('NOTLEADER');
    expect(elector.leaderId).toBeNull();
    await type('LEADER');
    expect(log.at(-1)).toBe('begin 1700000010001');
  });

  it('leads until the next command', async () => {
    await type('LEADER');
    clock.advance(24 * 3_600_000);
    expect(elector.lease!.isValid()).toBe(true);
  });

  it('goes through the error state, and competes again', async () => {
    await type('LEADER 5', 'ERROR no quorum');
    expect(log).toEqual(['begin 5', 'end 5 refused', 'ConsoleError: no quorum']);
    clock.advance(10_000);
    await settle();
    await type('LEADER 6');
    expect(log.at(-1)).toBe('begin 6');
  });

  it('drops and counts commands typed during the error state, and then follows', async () => {
    await type('LEADER 4', 'ERROR', 'LEADER 5', 'NOTLEADER');
    await type('LEADER 6');
    said();
    clock.advance(10_000);
    await settle();
    expect(said()).toMatch(/^dropped 3 event\(s\) of the error state\nme competes/);
    expect(log).toEqual(['begin 4', 'end 4 refused', 'ConsoleError: ERROR was typed']);
    expect(elector.lease).toBeNull();
    await type('LEADER 7');
    expect(log.at(-1)).toBe('begin 7');
  });

  it('goes through the error state also when it does not lead', async () => {
    await type('ERROR no quorum', 'LEADER 5');
    expect(log).toEqual(['ConsoleError: no quorum']);
    clock.advance(9_999);
    await type('LEADER 6');
    expect(log).toEqual(['ConsoleError: no quorum']);
    clock.advance(1);
    await settle();
    expect([log, elector.lease]).toEqual([['ConsoleError: no quorum'], null]);
    await type('LEADER 7');
    expect(log.at(-1)).toBe('begin 7');
  });

  it('drops commands typed during the error state of a begin handler', async () => {
    await elector.stop();
    let failing = true;
    elector = new Elector({
      backend,
      candidate: { id: 'me' },
      clock,
      handlers: {
        begin({ term }) {
          log.push(`begin ${term}`);
          if (failing) throw new Error('no disk');
        },
      },
    });
    elector.start();
    await type('LEADER 5');
    failing = false;
    await type('NOTLEADER', 'LEADER 6');
    clock.advance(10_000);
    await settle();
    await type('LEADER 7');
    expect(log).toEqual(['begin 5', 'begin 7']);
  });

  it('reports to the program lines that are no event, in their turn, and of dropped events', async () => {
    await elector.stop();
    await backend.close();
    input = new PassThrough();
    const reported: string[] = [];
    backend = new ConsoleElectionBackend({
      input,
      output,
      clock,
      onUnknown: (line) => reported.push(`unknown ${line}, term ${elector.term}`),
      onDropped: (count) => reported.push(`dropped ${count}`),
    });
    elector = new Elector({ backend, candidate: { id: 'me' }, clock });
    elector.start();
    await type('LEADER 5', 'hello', '', 'ERROR', 'LEADER 6', 'again');
    expect(reported).toEqual(['unknown hello, term 5']);
    clock.advance(10_000);
    await settle();
    expect(reported).toEqual(['unknown hello, term 5', 'dropped 1', 'unknown again, term 5']);
  });

  it('answers an unknown command, and a term that does not increase', async () => {
    said();
    await type('', 'hello', 'LEADER 5', 'LEADER 4');
    expect(said().split('\n')).toEqual([
      "'hello' is unknown; type LEADER [term], NOTLEADER [leader [term]] or ERROR [message]",
      'term 4 is not above the last one, 5',
      '',
    ]);
    expect(elector.term).toBe(5);
  });

  it('shows the state of the candidate', async () => {
    await type('LEADER 5');
    said();
    await elector.resign();
    await elector.resign();
    await elector.stop();
    expect(said()).toBe('me resigned\nme does not compete\n');
  });

  it('leads again after it has resigned only on a new command', async () => {
    await type('LEADER 5');
    await elector.resign();
    await settle();
    expect(elector.lease).toBeNull();
    await type('LEADER');
    expect(elector.lease).not.toBeNull();
  });

  it('steps down at the end of the input', async () => {
    input.end('LEADER 5\n');
    await settle();
    expect(log).toEqual(['begin 5', 'end 5 refused']);
    expect(said()).toMatch(/me does not compete\n$/);
  });

  it('leaves the streams open when it is closed', async () => {
    await type('LEADER 5');
    await backend.close();
    await settle();
    expect(log.at(-1)).toBe('end 5 refused');
    expect([input.destroyed, output.writable]).toEqual([false, true]);
  });
});
