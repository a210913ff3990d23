import type { SubscribeCommand, WorkerCommand } from '@detector-cluster/worker-protocol';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CommandOutcome } from './detector-connection.js';
import { WorkerCommands } from './worker-commands.js';

const subscribe = (id: string, rtspUrl = 'rtsp://x'): SubscribeCommand => ({
  type: 'subscribe',
  payload: { subscriptionIdentifier: id, rtspUrl, modelUrl: 'http://m', modelName: 'm', modelId: 1 },
});
const unsubscribe = (id: string): WorkerCommand => ({
  type: 'unsubscribe',
  payload: { subscriptionIdentifier: id },
});

let sent: { command: WorkerCommand; outcome: CommandOutcome }[];
let reported: Map<string, unknown>;
let dropped: number;
let unread: number;
let tooLong: number[];

function commandsOf(protocol: 'v1' | 'v2'): WorkerCommands {
  return new WorkerCommands({
    protocol,
    connection: {
      get unread() {
        return unread;
      },
      send: (command, outcome = {}) => {
        sent.push({ command, outcome });
        return true;
      },
    },
    reported: () => reported,
    onDropped: () => dropped++,
    onTooLong: (bytes) => tooLong.push(bytes),
  });
}

const lists = () =>
  sent.map(({ command }) =>
    command.type === 'setSubscriptionList'
      ? command.payload.subscriptions.map(({ subscriptionIdentifier }) => subscriptionIdentifier)
      : command.type,
  );

beforeEach(() => {
  sent = [];
  reported = new Map();
  dropped = 0;
  unread = 0;
  tooLong = [];
});

describe('WorkerCommands', () => {
  it('sends single commands at once in version 1', () => {
    const commands = commandsOf('v1');
    commands.send(subscribe('a;1'));
    commands.send(unsubscribe('b;2'));
    commands.flush();
    expect(lists()).toEqual(['subscribe', 'unsubscribe']);
  });

  it('sends one list for all earlier commands, in version 2', () => {
    const commands = commandsOf('v2');
    commands.countReport();
    for (const id of ['a;1', 'b;2', 'c;3']) commands.send(subscribe(id));
    commands.send(unsubscribe('b;2'));
    expect(sent).toEqual([]);
    commands.flush();
    commands.flush();
    expect(lists()).toEqual([['a;1', 'c;3']]);
  });

  it('sends no list before the first report of a connection, because it could end streams', () => {
    const commands = commandsOf('v2');
    commands.send(subscribe('a;1'));
    commands.flush();
    commands.countReport();
    commands.send(subscribe('b;2'));
    commands.disconnected();
    commands.flush();
    expect(sent).toEqual([]);
    expect(commands.hasUnconfirmed).toBe(false);
  });

  it('sends no list before it knows the parameters of the streams that the worker ran before', () => {
    reported.set('old;1', {}).set('old;2', {});
    const commands = commandsOf('v2');
    commands.countReport();
    commands.send(subscribe('a;1'));
    commands.flush();
    expect([sent, commands.unknown]).toEqual([[], ['old;1', 'old;2']]);

    commands.learn(subscribe('old;1'));
    commands.learn(subscribe('stranger;1'));
    commands.send(unsubscribe('old;2'));
    commands.send(subscribe('a;1'));
    commands.flush();
    expect([commands.unknown, lists()]).toEqual([[], [['old;1', 'a;1']]]);
  });

  it('does not replace sent parameters by parameters that it learns later', () => {
    reported.set('a;1', {});
    const commands = commandsOf('v2');
    commands.countReport();
    commands.send(subscribe('a;1', 'rtsp://new'));
    commands.learn(subscribe('a;1', 'rtsp://old'));
    commands.flush();
    expect(JSON.stringify(sent[0]!.command)).toContain('rtsp://new');
  });

  it('confirms the commands of a list like single commands', () => {
    reported.set('known;1', {});
    for (const protocol of ['v1', 'v2'] as const) {
      sent = [];
      const commands = commandsOf(protocol);
      commands.countReport();
      commands.send(subscribe('known;1'));
      commands.send(subscribe('new;1'));
      commands.flush();
      expect(commands.reportsDue.get('new;1')).toBe(Number.POSITIVE_INFINITY);
      expect(commands.countReport()).toEqual([]);
      for (const { outcome } of sent) outcome.written?.();
      expect([...commands.reportsDue]).toEqual([
        ['known;1', 2],
        ['new;1', 1],
      ]);
      expect(commands.countReport()).toEqual(['new;1']);
      expect(commands.countReport()).toEqual(['known;1']);
    }
  });

  it('confirms nothing by a report that was received, but not read, before the subscribe was written', () => {
    const commands = commandsOf('v1');
    commands.send(subscribe('new;1'));
    unread = 2;
    sent[0]!.outcome.written?.();
    unread = 0;
    expect([commands.countReport(), commands.countReport()]).toEqual([[], []]);
    expect(commands.countReport()).toEqual(['new;1']);
  });

  it('does not send a command later that could not be written', () => {
    reported.set('old;1', {});
    const commands = commandsOf('v2');
    commands.countReport();
    commands.learn(subscribe('old;1'));
    commands.send(subscribe('a;1'));
    commands.flush();
    sent[0]!.outcome.dropped?.();
    commands.send(subscribe('b;2'));
    commands.flush();
    expect([lists(), dropped]).toEqual([
      [
        ['old;1', 'a;1'],
        ['old;1', 'b;2'],
      ],
      1,
    ]);
  });

  it('leaves out a stream that the worker did not start within 12 s', () => {
    const commands = commandsOf('v2');
    commands.countReport();
    commands.send(subscribe('taken;1'));
    commands.send(subscribe('refused;1'));
    reported.set('taken;1', {});
    commands.send(unsubscribe('other;1'));
    commands.flush(performance.now() + 13_000);
    expect(lists()).toEqual([['taken;1']]);
  });

  it('sends no list that does not fit into a frame, and continues with one that does', () => {
    const commands = commandsOf('v2');
    commands.countReport();
    commands.send(subscribe('a;1'));
    commands.send(subscribe('long;1', `rtsp://${'x'.repeat(1_100_000)}`));
    commands.flush();
    expect([sent.length, tooLong.length, dropped]).toEqual([0, 1, 0]);
    commands.send(subscribe('b;2'));
    commands.flush();
    expect(lists()).toEqual([['b;2']]);
  });

  it('leads to the same streams by lists as by single commands', () => {
    const step = fc.oneof(
      fc.record({ type: fc.constant('subscribe' as const), id: fc.nat(5), url: fc.nat(2) }),
      fc.record({ type: fc.constant('unsubscribe' as const), id: fc.nat(5) }),
      fc.constant({ type: 'flush' as const }),
    );
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(5)), fc.array(step, { maxLength: 30 }), (running, steps) => {
        sent = [];
        reported = new Map(running.map((id) => [`d;${id}`, {}]));
        const single = new Map(running.map((id) => [`d;${id}`, 'rtsp://0']));
        const commands = commandsOf('v2');
        commands.countReport();
        for (const id of reported.keys()) commands.learn(subscribe(id, 'rtsp://0'));
        for (const step of [...steps, { type: 'unsubscribe' as const, id: 9 }]) {
          if (step.type === 'flush') commands.flush();
          else if (step.type === 'subscribe') {
            commands.send(subscribe(`d;${step.id}`, `rtsp://${step.url}`));
            single.set(`d;${step.id}`, `rtsp://${step.url}`);
          } else {
            commands.send(unsubscribe(`d;${step.id}`));
            single.delete(`d;${step.id}`);
          }
        }
        commands.flush();
        const last = sent.at(-1)!.command;
        const held = last.type === 'setSubscriptionList' ? last.payload.subscriptions : [];
        const addresses = held.map(({ subscriptionIdentifier, rtspUrl }) => [
          subscriptionIdentifier,
          rtspUrl,
        ]);
        expect(addresses.sort()).toEqual([...single].sort());
      }),
    );
  });
});
