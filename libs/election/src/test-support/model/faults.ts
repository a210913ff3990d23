import type { Fault } from './fault.js';
import type { ModelCandidate } from './model-candidate.js';
import type { ModelWorld } from './model-world.js';

const MAX_CANDIDATES = 6;

/** Lets faults happen in a world, and can end all that last. */
export class Faults {
  /** The endings of those that last. */
  private readonly lasting = new Set<() => void>();
  /** Term of the last lease that the store may have lost. */
  private lostTerm = 0;

  /** @param join Starts one more candidate. */
  constructor(
    private readonly world: ModelWorld,
    private readonly join: () => void,
  ) {}

  apply(fault: Fault): void {
    const { world } = this;
    world.record(`FAULT ${JSON.stringify(fault)}`);
    switch (fault.kind) {
      case 'start':
        if (this.running.length < MAX_CANDIDATES && this.unseen(false) === 0) this.join();
        return;
      case 'scripts lost':
        return world.server.scripts.clear();
      case 'server refuses':
        world.server.refusal = fault.code;
        return this.endAfter(fault.lasts, () => (world.server.refusal = undefined));
      case 'server restart':
        return this.restart(fault.lasts, fault.lost);
      default: {
        const candidate = this.find(fault.who);
        if (candidate) this.applyTo(candidate, fault);
      }
    }
  }

  /** Ends all faults that last, except that a server which restarts does so in its time. */
  endAll(): void {
    for (const end of this.lasting) end();
    // Runs after the input that waited for the end of a freeze.
    for (const candidate of this.running)
      this.world.time.after(0, () => candidate.process.input(() => candidate.comeBack()));
  }

  private get running(): ModelCandidate[] {
    return this.world.candidates.filter(({ process }) => process.alive);
  }

  private find(who: number): ModelCandidate | undefined {
    const { running } = this;
    running.sort((a, b) => (b.elector.lease?.term ?? 0) - (a.elector.lease?.term ?? 0));
    return running[who % running.length];
  }

  private applyTo(candidate: ModelCandidate, fault: Extract<Fault, { who: number }>): void {
    const { process, elector, network, presence, store } = candidate;
    switch (fault.kind) {
      case 'cut':
        return this.cut(candidate, fault);
      case 'freeze':
        process.freeze();
        if (fault.dropPresence) presence?.connection.dropAtServer();
        return this.endAfter(fault.lasts, () => process.thaw(fault.timersFirst));
      case 'lossy':
        network.loss = fault.probability;
        return this.endAfter(fault.lasts, () => (network.loss = 0));
      case 'far':
        network.latency = [fault.oneWay, fault.oneWay * 1.2];
        return this.endAfter(fault.lasts, () => (network.latency = this.world.options.latency));
      case 'flap':
        return this.flap(candidate, fault);
      case 'kill':
        return candidate.kill();
      case 'resign':
        return process.input(() => void elector.resign());
      case 'restart elector':
        return process.input(() => {
          void candidate.stop();
          candidate.comeBack();
        });
      case 'stop':
        return process.input(() => void candidate.stop());
      case 'drop presence':
        return presence?.connection.dropAtServer();
      case 'drop commands':
        return store.connection.dropAtServer();
      case 'wall clock':
        return process.stepWall(fault.by);
    }
  }

  private cut(candidate: ModelCandidate, { what, forgotten, lasts }: Extract<Fault, { kind: 'cut' }>): void {
    const { presence, store } = candidate;
    const connections = [
      ...(what === 'presence' ? [] : [store.connection]),
      ...(what === 'commands' || !presence ? [] : [presence.connection]),
    ];
    for (const connection of connections) {
      connection.cut();
      if (forgotten) connection.dropAtServer();
    }
    this.endAfter(lasts, () => {
      for (const connection of connections) connection.heal();
      this.world.tell(candidate, () => candidate.backend.current?.lookAgain());
    });
  }

  private flap({ presence }: ModelCandidate, { every, lasts }: Extract<Fault, { kind: 'flap' }>): void {
    let going = true;
    const drop = () => {
      if (!going) return;
      presence?.connection.dropAtServer();
      this.world.time.after(every, drop);
    };
    drop();
    this.endAfter(lasts, () => (going = false));
  }

  private restart(lasts: number, lost: number): void {
    const { server, candidates, time } = this.world;
    if (!server.up) return;
    server.crash();
    if (lost > 0) this.lostTerm = server.lastLease.term;
    const { term, validity } = server.lastLease;
    const known = this.running.every(
      ({ memory, waits }) => waits >= validity || (memory.floor === term && memory.validity >= validity),
    );
    time.after(Math.max(lasts, lost > 0 ? this.unseen(known) : 0), () => {
      server.start(lost);
      for (const candidate of candidates)
        this.world.tell(candidate, () => candidate.backend.current?.lookAgain());
    });
  }

  /** How long a lease may be valid still that the store has lost, and that candidates have not seen. */
  private unseen(known: boolean): number {
    const { server, candidates, time, options } = this.world;
    const { term, validity, until } = server.lastLease;
    if (known || term !== this.lostTerm || !options.unseenLeasesOutlastLoss) return 0;
    return candidates.every(({ waits }) => waits >= validity) ? 0 : Math.max(0, until - time.now);
  }

  private endAfter(duration: number, end: () => void): void {
    const once = () => {
      if (this.lasting.delete(once)) end();
    };
    this.lasting.add(once);
    this.world.time.after(duration, once);
  }
}
