import { eventually } from '@detector-cluster/election/testing';
import { createGroupMember, type GroupOptions } from '../session/create-group-member.js';
import { MemoryLeaderStore } from '../store/memory-leader-store.js';

export const SECRET = 'a secret of the tests';

/** Durations that keep tests short and still suit a busy machine, on which a process may stand still for three seconds. Milliseconds. */
export const TEST_TIMES = {
  pingCycle: 500,
  failureThreshold: 4,
  probes: 1,
  helpers: 2,
  leaseTtl: 4_000,
  joinWait: 60,
  busyWait: 250,
  joinTimeout: 1_000,
} as const;

export type RealMember = ReturnType<typeof createGroupMember>;

/** Members in one process with real sockets between them and a store in memory. */
export class RealGroup {
  readonly store = new MemoryLeaderStore();
  readonly all: RealMember[] = [];
  readonly warnings: string[] = [];

  create(options: Partial<GroupOptions> = {}): RealMember {
    const made = createGroupMember({
      internalAddress: '127.0.0.1:0',
      secret: SECRET,
      tls: false,
      store: this.store,
      onWarning: (message) => this.warnings.push(message),
      ...TEST_TIMES,
      ...options,
    });
    this.all.push(made);
    return made;
  }

  async start(size: number, options: Partial<GroupOptions> = {}): Promise<RealMember[]> {
    const made = Array.from({ length: size }, () => this.create(options));
    await Promise.all(made.map(({ member }) => member.start()));
    await this.agreed();
    return made;
  }

  agreed(among: readonly RealMember[] = this.all, within = 20_000): Promise<RealMember> {
    return eventually('one leader that all know', within, () => {
      const leader = among.find(({ member }) => member.mayAct);
      const ids = among.map(({ member }) => member.id).sort((a, b) => a! - b!);
      const agree = among.every(
        ({ member }) =>
          member.leader?.id === leader?.member.id && member.members.map(({ id }) => id).join() === ids.join(),
      );
      return agree && leader;
    });
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.splice(0).map(({ member }) => member.stop()));
  }
}
