import type { CampaignContext } from '../../backends/redis/campaign/lease-renewer.js';
import { RedisCampaign } from '../../backends/redis/campaign/redis-campaign.js';
import type { PresenceTiming } from '../../backends/redis/campaign/presence-timing.js';
import {
  type CrashDetection,
  resolveRedisElectionOptions,
} from '../../backends/redis/redis-election-options.js';
import type { Candidate, ElectionBackend, ElectionState } from '../../contract/election-backend.js';
import { Elector } from '../../elector/elector.js';
import { CampaignMemory } from '../../lease/campaign-memory.js';
import { instanceOf } from '../../lease/lease-owner.js';
import type { Grant } from '../../testing/check-history.js';
import { onFastestClock } from '../../util/clock.js';
import { Condition } from '../../util/condition.js';
import type { ElectionTiming } from '../../util/duration-problems.js';
import type { ModelWorld } from './model-world.js';
import type { Network } from './model-connection.js';
import { ModelLeaseStore } from './model-lease-store.js';
import { ModelPresence } from './model-presence.js';
import { ModelProcess } from './model-process.js';

type LeaderState = Extract<ElectionState, { role: 'leader' }>;

interface BackendProbe {
  /** Changes what the campaign says; for defects. */
  said(state: ElectionState): ElectionState;
  /** The reader of the states has processed a leader state. */
  led(state: LeaderState): void;
}

/** Runs the real campaign as the real backend does, on connections of the model. */
class ModelBackend implements ElectionBackend {
  readonly name = 'model';
  /** Campaigns in progress. */
  campaigns = 0;
  current: RedisCampaign | undefined;

  constructor(
    private readonly context: Omit<CampaignContext, 'candidate' | 'signal' | 'condition'>,
    private readonly probe: BackendProbe,
  ) {}

  async *campaign(candidate: Candidate, signal: AbortSignal): AsyncGenerator<ElectionState> {
    this.campaigns++;
    const condition = new Condition(this.context.options.clock);
    const campaign = new RedisCampaign({ ...this.context, candidate, signal, condition }, signal);
    this.current = campaign;
    try {
      for await (const state of campaign.states()) {
        const said = this.probe.said(state);
        yield said;
        if (said.role === 'leader') this.probe.led(said);
      }
    } finally {
      this.campaigns--;
      if (this.current === campaign) this.current = undefined;
    }
  }

  async resign(): Promise<void> {
    await this.current?.resign();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** In what the processes of one election may differ. */
export interface CandidateKind {
  readonly crashDetection: CrashDetection;
  readonly timing: ElectionTiming & PresenceTiming;
  /** How many milliseconds of its clock are one in the world. */
  readonly rate: number;
}

export interface CandidateOptions extends CandidateKind {
  readonly id: string;
}

/** Consecutive calls that end a campaign: the owed release, a call in flight, the final release. */
const CALLS_TO_STOP = 4;

/** One process of the world that competes: real elector, real campaign. Notes all that they do. */
export class ModelCandidate {
  /** Unique in the world. */
  readonly id: string;
  /** Under which it campaigns. */
  readonly candidateId: string;
  readonly process: ModelProcess;
  readonly network: Network;
  readonly store: ModelLeaseStore;
  readonly presence: ModelPresence | undefined;
  readonly backend: ModelBackend;
  readonly elector: Elector;
  readonly memory: CampaignMemory;
  readonly grants: { -readonly [Key in keyof Grant]: Grant[Key] }[] = [];
  /** For how long it takes no lease after the store has restarted, whatever it has seen. Milliseconds. */
  readonly waits: number;
  /** The longest time for which {@link stop} may last, in milliseconds of its clock. */
  readonly stopWithin: number;
  private leading: number | undefined;
  private lastTerm = 0;
  private down = false;
  /** Calls of `stop` in progress. */
  private stops = 0;

  constructor(
    private readonly world: ModelWorld,
    { id, crashDetection, timing, rate }: CandidateOptions,
  ) {
    const { time, server, dice, options } = world;
    this.id = id;
    this.candidateId = options.namesakes ? 'namesake' : id;
    this.process = new ModelProcess(time, rate, dice.between(0, 1e6), () => world.touch(this));
    this.network = { latency: options.latency, loss: 0, lateness: 1_000 };
    const parts = { time, server, dice, process: this.process, network: this.network };
    const resolved = {
      ...resolveRedisElectionOptions({ redis: 'redis://model', ...timing, crashDetection }),
      clock: this.process,
      random: dice.roll,
      onWarning: () => undefined,
    };
    this.waits = onFastestClock(resolved.validity[crashDetection]);
    this.stopWithin = CALLS_TO_STOP * resolved.commandTimeout;
    const counts = crashDetection === 'presence';
    this.store = new ModelLeaseStore(parts, { ...resolved, sees: counts }, resolved.commandTimeout, () =>
      this.backend.current?.connected(),
    );
    this.presence = counts
      ? new ModelPresence(parts, instanceOf(this.candidateId, id), () => this.backend.current?.lookAgain())
      : undefined;
    this.memory = new CampaignMemory(id);
    this.backend = new ModelBackend(
      { store: this.store, options: resolved, presence: this.presence, memory: this.memory },
      {
        said: (state) => options.alter?.(state, this.process) ?? state,
        led: ({ term, validUntil }) => this.granted(term, validUntil),
      },
    );
    const candidate = { id: this.candidateId };
    this.elector = new Elector({ backend: this.backend, candidate, clock: this.process });
    this.record();
    this.store.connection.open();
    this.elector.start();
  }

  get leads(): boolean {
    return this.process.alive && (this.elector.lease?.isValid() ?? false);
  }

  /** Its connections; the one for commands first. */
  get connections() {
    return this.presence ? [this.store.connection, this.presence.connection] : [this.store.connection];
  }

  kill(): void {
    this.process.kill();
    for (const connection of this.connections) connection.close();
    this.world.record(`${this.id} killed`);
  }

  /** Resolves when the elector has stopped. */
  async stop(): Promise<void> {
    this.down = true;
    this.stops++;
    await this.elector.stop();
    this.stops--;
    this.world.record(`${this.id} stopped`);
    this.startAgain();
  }

  /** Starts an elector that is stopped, or stopping, again as soon as it has stopped. */
  comeBack(): void {
    if (!this.down) return;
    this.down = false;
    this.startAgain();
  }

  /** Activities that continue although the elector has stopped. */
  leftovers(): string[] {
    this.presence?.close();
    this.store.connection.close();
    const { pending } = this.process;
    return [
      ...(this.backend.campaigns > 0 ? ['a campaign'] : []),
      ...(this.store.pending > 0 ? [`${this.store.pending} calls`] : []),
      ...(pending > 0 ? [`${pending} timers`] : []),
    ].map((what) => `${this.id} has stopped and left ${what}`);
  }

  /** One campaign at a time. */
  check(): void {
    if (this.backend.campaigns > 1) this.world.violated(`${this.id} has ${this.backend.campaigns} campaigns`);
  }

  private startAgain(): void {
    if (!this.down && this.stops === 0) this.elector.start();
  }

  private granted(term: number, validUntil: number): void {
    if (this.leading !== term || !this.leads) return;
    this.grants.push({
      owner: this.id,
      term,
      sentAt: this.world.time.now,
      validUntil: this.process.worldTime(validUntil),
    });
  }

  private cutShort(term: number): void {
    const { now } = this.world.time;
    for (const grant of this.grants)
      if (grant.term === term) grant.validUntil = Math.min(grant.validUntil, now);
  }

  private record(): void {
    const { elector, world, id } = this;
    elector.on('acquired', ({ term, reason }) => {
      world.record(`${id} acquired ${term} (${reason})`);
      if (this.leading !== undefined) world.violated(`${id} acquired ${term} while it led ${this.leading}`);
      if (!(term > this.lastTerm)) world.violated(`${id} acquired ${term} after ${this.lastTerm}`);
      if (!reason) world.violated(`${id} acquired ${term} without a reason`);
      this.leading = term;
      this.lastTerm = term;
      world.checkLeaders();
    });
    elector.on('lost', ({ term, reason }) => {
      world.record(`${id} lost ${term} (${reason})`);
      if (this.leading !== term) world.violated(`${id} lost ${term} while it led ${this.leading}`);
      if (!reason) world.violated(`${id} lost ${term} without a reason`);
      this.leading = undefined;
      this.cutShort(term);
    });
    elector.on('suspended', ({ term }) => {
      world.record(`${id} suspended`);
      this.cutShort(term);
    });
    elector.on('resumed', () => {
      world.record(`${id} resumed`);
      world.checkLeaders();
    });
    elector.on('error', (error) => {
      world.record(`${id} ${error.message}`);
      if (error.name === 'ElectionProtocolError') world.violated(`${id}: ${error.message}`);
    });
    elector.on('follower', ({ leaderId }) => world.record(`${id} follows ${leaderId}`));
  }
}
