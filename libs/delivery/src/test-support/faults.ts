import type { DeliveryProcess } from './delivery-process.js';
import type { DeliveryWorld } from './delivery-world.js';
import { formatLetterId } from '../dead-letters/dead-letter.js';
import type { Fault } from './fault.js';

const MAX_PROCESSES = 4;

/** How long a server that lost its data stays down: longer than any owner or master may act. Milliseconds. */
const DOWN_AFTER_LOSS = 2_000;

/** After this time without an answer, a master is replaced and a process is considered dead. Milliseconds. */
const TIMEOUT = 400;

/** Lets faults happen in a world, and can end all that last. */
export class Faults {
  /** The endings of those that last. */
  private readonly lasting = new Set<() => void>();

  /** @param join starts one more process */
  constructor(
    private readonly world: DeliveryWorld,
    private readonly join: () => void,
  ) {}

  apply(fault: Fault): void {
    const { world } = this;
    const { server } = world;
    world.note(`FAULT ${JSON.stringify(fault)}`);
    switch (fault.kind) {
      case 'start':
        if (world.running.length < MAX_PROCESSES) this.join();
        return;
      case 'burst':
        return world.emit(fault.count, world.pickSubscription());
      case 'worker break':
        return world.worker?.breakConnection();
      case 'worker restart':
        return world.worker?.restart();
      case 'slow callbacks':
        world.slowness = fault.by;
        return this.endAfter(fault.lasts, () => (world.slowness = 0));
      case 'partitions':
        world.partitions = fault.count;
        return this.applyTo(this.find(0), { kind: 'elect', who: 0, overlap: 0 });
      case 'replay':
        return this.requestReplays();
      case 'foreign entry':
        return world.addForeign(fault.partition, fault.above);
      case 'server freeze':
        if (!server.up) return;
        server.freeze();
        return this.endAfter(fault.lasts, () => server.up && server.thaw());
      case 'replica behind':
        server.isReplicaBehind = true;
        return this.endAfter(fault.lasts, () => (server.isReplicaBehind = false));
      case 'failover':
        if (world.options.router.acceptance !== null) this.failOver(fault.lasts);
        return;
      case 'server restart':
        return this.restart(fault.lasts, fault.losesData);
      default:
        return this.applyTo(this.find(fault.who), fault);
    }
  }

  /** Ends all faults that last, except that a server which restarts does so in its time. */
  endAll(): void {
    for (const end of this.lasting) end();
  }

  private find(who: number): DeliveryProcess | undefined {
    const { master, running } = this.world;
    const leads = (process: DeliveryProcess) => Number(process === master?.holder);
    return running.sort((a, b) => leads(b) - leads(a))[who % Math.max(1, running.length)];
  }

  private applyTo(target: DeliveryProcess | undefined, fault: Extract<Fault, { who: number }>): void {
    if (target === undefined) return;
    const { members, options } = this.world;
    const { id, network, process } = target;
    switch (fault.kind) {
      case 'cut':
        return this.cut(target, fault);
      case 'freeze':
        return this.freeze(target, fault.lasts, fault.timersFirst);
      case 'lossy':
        network.loss = fault.loss;
        network.late = fault.late;
        return this.endAfter(fault.lasts, () => (network.loss = network.late = 0));
      case 'far':
        network.latency = [fault.oneWay, fault.oneWay * 1.2];
        return this.endAfter(fault.lasts, () => (network.latency = options.latency));
      case 'suspect':
        members.suspect(id);
        return this.endAfter(fault.lasts, () => members.trust(id));
      case 'wall clock':
        return process.stepWall(fault.by);
      case 'withdraw':
        target.global = false;
        return process.input(() => target.withdraw());
      case 'kill':
        return this.kill(target);
      case 'stop':
        return this.stop(target);
      case 'resign':
        return this.resign(target);
      case 'elect':
        if (process.running) this.world.elect(target, fault.overlap);
        return;
    }
  }

  private cut(target: DeliveryProcess, { lasts, link, reset }: Extract<Fault, { kind: 'cut' }>): void {
    const { general, links } = target;
    const some = link === 'all' ? [...links] : [links[link % links.length]!];
    for (const each of some) {
      if (reset) each.reset();
      each.cut();
    }
    // The registry hears of a process by its general connection.
    const trust = some.includes(general) ? this.suspectSoon(target) : undefined;
    this.endAfter(lasts, () => {
      for (const each of some) each.heal();
      trust?.();
    });
  }

  private freeze(target: DeliveryProcess, lasts: number, timersFirst: boolean): void {
    const { dice } = this.world;
    const { process } = target;
    if (!process.running) return;
    process.freeze();
    const trust = this.suspectSoon(target);
    // A frozen master still considers itself master when it is thawed, so there are two.
    if (this.world.master?.holder === target) this.world.electSoon(dice.happens(0.3) ? lasts + 300 : 0);
    this.endAfter(lasts, () => {
      process.thaw(timersFirst);
      trust();
    });
  }

  /** Silences a process, so that it is soon considered dead, until the returned function is called. */
  private suspectSoon({ id }: DeliveryProcess): () => void {
    const { dice, members, time } = this.world;
    let heard = false;
    time.after(dice.between(0.5 * TIMEOUT, 3 * TIMEOUT), () => {
      if (!heard) members.suspect(id);
    });
    return () => {
      heard = true;
      this.world.soon(() => members.trust(id));
    };
  }

  private kill(target: DeliveryProcess): void {
    const { dice, members, time } = this.world;
    target.kill();
    time.after(dice.between(0, 3 * TIMEOUT), () => members.remove(target.id));
    this.world.electSoon();
  }

  private stop(target: DeliveryProcess): void {
    const { members } = this.world;
    this.resign(target);
    target.stopping = true;
    target.process.input(
      () =>
        void target.stop().then(() => {
          this.world.note(`${target.id} has stopped`);
          members.remove(target.id);
        }),
    );
  }

  /** Gives up leadership; another process leads at once. */
  private resign(target: DeliveryProcess): void {
    const { master, running } = this.world;
    if (master?.holder !== target) return;
    master.retire();
    const next = running.find((each) => each !== target && each.process.running);
    if (next !== undefined) this.world.elect(next, 600);
    else this.world.electSoon();
  }

  private requestReplays(): void {
    const { partitionLogs, server } = this.world;
    for (const log of partitionLogs)
      for (const { id } of server.logs.lettersOf(log)) {
        const letterId = formatLetterId({ entry: id, partition: log.partition });
        if (!server.requests.includes(letterId)) server.requests.push(letterId);
      }
    server.onHint('replays');
  }

  private failOver(lasts: number): void {
    const { logs, server, time } = this.world;
    if (!server.up) return;
    this.crash();
    time.after(lasts, () => {
      server.failOver();
      logs.rolledBack();
    });
  }

  private crash(): void {
    const { processes, server } = this.world;
    server.crash();
    for (const { links } of processes) for (const link of links) link.reset();
  }

  private restart(lasts: number, losesData: boolean): void {
    const { logs, masterships, server, time } = this.world;
    if (!server.up) return;
    this.crash();
    if (losesData)
      for (const mastership of masterships)
        mastership.validUntil = Math.min(mastership.validUntil, time.now + TIMEOUT);
    time.after(losesData ? Math.max(lasts, DOWN_AFTER_LOSS) : lasts, () => {
      server.start(losesData);
      if (!losesData) return;
      logs.wiped();
      for (const mastership of masterships) mastership.retire();
      this.world.electSoon();
    });
  }

  private endAfter(duration: number, end: () => void): void {
    const once = () => {
      if (this.lasting.delete(once)) end();
    };
    this.lasting.add(once);
    this.world.time.after(duration, once);
  }
}
