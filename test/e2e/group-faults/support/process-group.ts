import { checkHistory } from '@detector-cluster/election/testing';
import { waitFor } from '@detector-cluster/local-cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomPrefix } from '../../../support/random-prefix.js';
import { GroupProcess, type MemberState } from './group-process.js';

/** Short, and long enough for a busy machine. Milliseconds. */
const TIMES = { pingCycle: 400, failureThreshold: 10, leaseTtl: 4_000, joinWait: 60, busyWait: 500 } as const;

const TIMEOUT = 40_000;

/** Processes of one group, on a real Redis. */
export class ProcessGroup {
  readonly processes: GroupProcess[] = [];
  private readonly key = randomPrefix('group');

  /** @param count Members in each process. */
  constructor(
    private readonly options: object = {},
    private readonly count = 1,
  ) {}

  add(): GroupProcess {
    const { key, count } = this;
    const options = { secret: 'a secret of the tests', ...TIMES, ...this.options };
    const made = new GroupProcess({ redis: process.env.REDIS_URL!, key, count, options });
    this.processes.push(made);
    return made;
  }

  async start(size: number): Promise<void> {
    for (let i = 0; i < size; i++) this.add();
    await this.agreed();
  }

  get living(): GroupProcess[] {
    return this.processes.filter(({ ended, frozen }) => !ended && !frozen);
  }

  /** Resolves with the process of the one leader, when all members of these processes know it and each other. */
  async agreed(among: () => readonly GroupProcess[] = () => this.living): Promise<GroupProcess> {
    for (const each of among()) each.states = [];
    return waitFor(
      'one group with one leader',
      TIMEOUT,
      async () => {
        const processes = among();
        for (const each of processes) each.ask();
        await sleep(50);
        if (processes.some(({ states }) => states.length !== this.count)) return null;
        const states = processes.flatMap((each) => each.states);
        const leaders = states.filter(({ mayAct }) => mayAct);
        const ids = states.map(({ id }) => id!).sort((a, b) => a - b);
        const agree = states.every(
          ({ leader, members }) => leader === leaders[0]?.id && members.join() === ids.join(),
        );
        return (leaders.length === 1 && agree && processes.find(({ mayAct }) => mayAct)) || null;
      },
      () => this.story(),
    );
  }

  /** Resolves with the id of the leader when all members of all processes know it, whether it may act already or not. */
  async elected(): Promise<number> {
    for (const each of this.processes) each.states = [];
    return waitFor(
      'one leader',
      TIMEOUT,
      async () => {
        for (const each of this.processes) each.ask();
        await sleep(50);
        if (this.processes.some(({ states }) => states.length !== this.count)) return null;
        const [first, ...others] = this.processes.flatMap(({ states }) => states.map(({ leader }) => leader));
        return others.every((leader) => leader === first) ? (first ?? null) : null;
      },
      () => this.story(),
    );
  }

  /** What is wrong with who has led; empty when nothing is. */
  verdict(): string[] {
    return checkHistory(
      this.processes.flatMap(({ grants }) => grants).filter(({ sentAt, validUntil }) => validUntil > sentAt),
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((each) => each.stop()));
  }

  private story(): string {
    return this.processes
      .flatMap(({ states, errors }) => [...states.map(storyOf), errors.slice(0, 500)])
      .join('\n');
  }
}

function storyOf({ id, leader, mayAct, members, sent }: MemberState): string {
  return `${id}${mayAct ? ' may act' : ''}, led by ${leader}, knows ${members.length}, has sent ${sent}`;
}
