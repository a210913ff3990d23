import { VirtualClock } from '@detector-cluster/election/testing';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deliveryKeys } from '../log/delivery-keys.js';
import { partitionLog } from '../log/log-address.js';
import type { Grant, OwnerRecord } from '../log/log-store.js';
import { MemoryLogServer, memoryLogStore } from '../test-support/memory-log-server.js';
import { consumerDefaults } from './consumer-context.js';
import { TAKE_OVER_WAIT, type HeldLog } from './held-log.js';
import { PartitionHolder } from './partition-holder.js';

const keys = deliveryKeys('');
const log = partitionLog(keys, 0);

describe('PartitionHolder', () => {
  let server: MemoryLogServer;
  let clock: VirtualClock;
  let stopping: AbortController;
  let epochs: number;
  beforeEach(() => {
    server = new MemoryLogServer();
    clock = new VirtualClock();
    stopping = new AbortController();
    epochs = 0;
  });
  afterEach(() => stopping.abort());

  const record = () => server.records([log])[0]!;

  /** The master's script, under one term. */
  function grant(action: Grant['action'], process: string): void {
    const [result] = server.grant(1, [
      { log, action, process, epoch: `1.${++epochs}`, expected: record().epoch },
    ]);
    expect(result).toBe('done');
  }

  function holderOf(processId: string) {
    const held: HeldLog[] = [];
    const ready: HeldLog[] = [];
    const store = memoryLogStore(server);
    /** A false answer of Redis. */
    let pretended: OwnerRecord | undefined;
    const holder: PartitionHolder = new PartitionHolder({
      processId,
      keys,
      store: { ...store, records: async (logs) => (pretended ? [pretended] : store.records(logs)) },
      readPartitions: () => Promise.resolve(1),
      options: consumerDefaults,
      clock,
      onEvent: (event) => {
        if (event.type === 'partition-gained') held.push(...holder.logs);
      },
      onReady: (log) => ready.push(log),
      onLost: () => undefined,
      signal: stopping.signal,
    });
    holder.start();
    const look = async (as?: OwnerRecord) => {
      pretended = as;
      holder.soon();
      for (let i = 0; i < 10; i++) await turn();
    };
    /** Lets time pass in steps, so that code that waits for a timer can set the next one. */
    const pass = async (duration: number) => {
      for (let passed = 0; passed < duration; passed += 10) {
        clock.advance(10);
        await turn();
      }
    };
    return { held, holder, look, pass, ready };
  }

  it('a new owner waits unless the previous owner has released the partition', async () => {
    const [a, b] = [holderOf('a'), holderOf('b')];
    grant('take', 'a');
    await a.look();
    expect([a.held[0]!.remainingWait, a.held[0]!.catchingUp]).toEqual([TAKE_OVER_WAIT, false]);
    grant('take', 'b');
    await b.look();
    expect([b.held[0]!.remainingWait, b.held[0]!.catchingUp]).toEqual([TAKE_OVER_WAIT, true]);
    await b.pass(TAKE_OVER_WAIT);
    expect(b.ready).toEqual([b.held[0]]);
    // It has read the log to its end.
    b.held[0]!.catchingUp = false;
    grant('hand-over', 'a');
    await b.look();
    await a.look();
    expect([a.held[1]!.remainingWait, a.held[1]!.catchingUp]).toEqual([0, false]);
  });

  it('a partition that had no owner for a while starts without a wait if it was released', async () => {
    const [a, b] = [holderOf('a'), holderOf('b')];
    grant('take', 'a');
    await a.look();
    await a.pass(TAKE_OVER_WAIT);
    await a.holder.handOver(a.held[0]!);
    expect(record()).toMatchObject({ process: '', origin: 'released' });
    grant('take', 'b');
    await b.look();
    expect(b.held[0]!.remainingWait).toBe(0);
  });

  it('does not release a partition before its own wait is over, because the next owner would not wait for the previous one', async () => {
    const b = holderOf('b');
    grant('take', 'a');
    grant('take', 'b');
    await b.look();
    grant('hand-over', 'c');
    await b.look();
    await b.pass(TAKE_OVER_WAIT - 20);
    expect(record()).toMatchObject({ process: 'b', next: 'c' });
    await b.pass(40);
    // `b` has read nothing, so the entries that the previous owner had begun are still there.
    expect(record()).toMatchObject({ process: 'c', origin: 'unfinished' });
  });

  it('releases only when running callbacks have ended and are acknowledged', async () => {
    const a = holderOf('a');
    grant('take', 'a');
    await a.look();
    await a.pass(TAKE_OVER_WAIT);
    const [held] = a.held;
    held!.running = 1;
    grant('hand-over', 'b');
    await a.look();
    expect(held!.draining).toBe(true);
    await a.pass(5_000);
    held!.unconfirmed = 1;
    held!.running = 0;
    await a.pass(5_000);
    expect(record()).toMatchObject({ process: 'a', next: 'b' });
    held!.unconfirmed = 0;
    await a.pass(20);
    expect(record()).toMatchObject({ process: 'b', next: '' });
    expect(held!.lost).toBe(true);
  });

  it('waits for the owner in between if Redis has lost a release, and considers all entries begun', async () => {
    const [a, b] = [holderOf('a'), holderOf('b')];
    grant('take', 'b');
    await b.look();
    await b.pass(TAKE_OVER_WAIT);
    grant('hand-over', 'a');
    await b.look();
    await b.pass(20);
    await a.look();
    const owned = record();
    expect(a.held[0]!.remainingWait).toBe(0);
    await a.holder.handOver(a.held[0]!);
    grant('take', 'b');
    await a.look(owned);
    expect([a.held[1]!.epoch, a.held[1]!.remainingWait, a.held[1]!.catchingUp]).toEqual([
      a.held[0]!.epoch,
      TAKE_OVER_WAIT,
      true,
    ]);
  });

  it('waits in the same way if Redis has lost the record that the partition was taken', async () => {
    const [a, b] = [holderOf('a'), holderOf('b')];
    grant('take', 'b');
    await b.look();
    await b.pass(TAKE_OVER_WAIT);
    grant('hand-over', 'a');
    await b.look();
    await b.pass(20);
    await a.look();
    const owned = record();
    grant('take', 'b');
    await a.look();
    expect(a.held[0]!.lost).toBe(true);
    await a.look(owned);
    expect([a.held[1]!.epoch, a.held[1]!.remainingWait, a.held[1]!.catchingUp]).toEqual([
      a.held[0]!.epoch,
      TAKE_OVER_WAIT,
      true,
    ]);
  });
});
