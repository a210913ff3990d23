import { ModelProcess } from '../../../election/src/test-support/model/model-process.js';
import type { DetectionCallback, DetectionMeta } from '../log/detection.js';
import { DetectionListeners } from '../interest/detection-listeners.js';
import type { LogAddress } from '../log/log-address.js';
import type { LogStore } from '../log/log-store.js';
import { DetectionConsumer, type ConsumerStores } from '../receive/detection-consumer.js';
import type { DecodedEntry } from '../receive/held-log.js';
import { type DetectionTracer } from '../log/detection-tracer.js';
import { TracerSlot } from '../log/tracer-slot.js';
import type { DeliveryWorld } from './delivery-world.js';
import { linkLogSource, linkLogStore } from './link-stores.js';
import { detectionAt } from './memory-log-server.js';
import { ModelLink, type Network } from './model-link.js';
import type { Hint } from './model-server.js';

export interface ProcessOptions {
  readonly id: string;
  /** How many milliseconds of its clock are one in the world. */
  readonly rate: number;
  /** Subscriptions that it has listeners of its own for. */
  readonly listensTo: readonly string[];
}

/** A callback that has not ended. */
interface Run {
  readonly log: LogAddress;
  readonly epoch: string;
  readonly signal: AbortSignal;
  readonly settle: (error?: Error) => void;
}

/** How often a process writes its interests, in case they were lost. Milliseconds. */
const REFRESH = 1_000;

/** One process of the world with the real consumer, on connections of the model. */
export class DeliveryProcess {
  readonly id: string;
  readonly process: ModelProcess;
  readonly network: Network;
  readonly listeners = new DetectionListeners();
  readonly tracing = new TracerSlot();
  readonly consumer: DetectionConsumer;
  readonly general: ModelLink;
  /** Its connections, in the order in which they were opened. */
  readonly links: ModelLink[];
  /** It is to own partitions. */
  global = true;
  /** It is being stopped, or has stopped. */
  stopping = false;
  private readonly looks = new Set<(hint: Hint) => void>();
  private readonly runs = new Set<Run>();
  /** Logs and epochs for which the server has said that this process is not the owner. */
  private readonly refused = new Set<string>();
  private current: DecodedEntry | undefined;
  private version = 0;

  constructor(
    private readonly world: DeliveryWorld,
    { id, listensTo, rate }: ProcessOptions,
  ) {
    const { dice, keys, options, time } = world;
    this.id = id;
    this.process = new ModelProcess(time, rate, dice.between(0, 1e6), () => world.touch(this));
    this.network = { latency: options.latency, loss: 0, late: 0 };
    const blocking = options.consumer.readBlock + 3_000;
    const commands = { timeout: 1_000, silence: 3_000, queues: false };
    this.general = this.makeLink({ ...commands, onReady: () => this.reconnected() });
    const acknowledging = this.makeLink(commands);
    const reading = this.makeLink({ timeout: blocking, silence: blocking, queues: true });
    this.links = [this.general, acknowledging, reading];
    this.tracing.current = this.tracer();
    const { callPerLog } = options;
    const { server } = world;
    const stores: ConsumerStores = {
      source: linkLogSource({ link: reading, server, callPerLog }),
      acknowledgements: this.listening(linkLogStore({ link: acknowledging, server, callPerLog })),
      callPerLog,
      logs: linkLogStore({ link: this.general, server, callPerLog }),
      readPartitions: () => this.general.call(() => server.partitions ?? 0),
      watch: (onChanged) => this.watch((hint) => void (hint === 'owners' && onChanged())),
      close: () => {
        acknowledging.close();
        reading.close();
      },
    };
    this.consumer = new DetectionConsumer({
      stores: options.alter?.(stores, this.process) ?? stores,
      keys,
      processId: id,
      listeners: this.listeners,
      redact: (text) => text,
      onEvent: (event) => {
        if (event.type === 'partition-gained' || event.type === 'partition-lost')
          world.note(`${id} ${event.type} ${event.partition} ${event.epoch}`);
      },
      onOwnershipLost: () => this.announce(),
      clock: this.process,
      tracing: this.tracing,
      options: options.consumer,
    });
    this.listeners.addGlobal(this.callback);
    for (const subscription of listensTo) this.listeners.add(subscription, this.callback);
    this.watch((hint) => void (hint === 'forgotten' && this.announce()));
    this.process.input(() => {
      for (const link of this.links) link.open();
      this.consumer.start();
      this.refresh();
    });
  }

  /** It takes part: it neither was killed, nor is it being stopped. */
  get alive(): boolean {
    return this.process.alive && !this.stopping;
  }

  makeLink(options: ConstructorParameters<typeof ModelLink>[1]): ModelLink {
    const { dice, server, time } = this.world;
    const { network, process } = this;
    return new ModelLink({ time, dice, server, process, network }, options);
  }

  watch(look: (hint: Hint) => void): () => void {
    this.looks.add(look);
    return () => void this.looks.delete(look);
  }

  /** A hint reaches it, or gets lost. */
  hear(hint: Hint): void {
    const { dice, time } = this.world;
    if (dice.happens(this.network.loss)) return;
    time.after(dice.between(...this.network.latency), () =>
      this.process.input(() => {
        for (const look of this.looks) look(hint);
      }),
    );
  }

  /** Tells the master what it listens to. */
  announce(): void {
    if (!this.alive) return;
    const { server } = this.world;
    const record = {
      version: this.version,
      global: this.listeners.hasGlobal,
      subscriptions: this.listeners.subscriptions(),
    };
    this.general
      .call(() => {
        server.interests.set(this.id, record);
        server.onHint('interests');
      })
      .catch(() => undefined);
  }

  /** Its application has no global listener any more. */
  withdraw(): void {
    this.listeners.removeGlobal(this.callback);
    this.version++;
    this.announce();
  }

  /** As on SIGTERM. Resolves when the consumer has stopped. */
  async stop(): Promise<void> {
    this.stopping = true;
    const { server } = this.world;
    await this.general
      .call(() => {
        server.interests.delete(this.id);
        server.onHint('interests');
      })
      .catch(() => undefined);
    await this.consumer.stop();
    this.general.close();
  }

  kill(): void {
    this.process.kill();
    // Nothing of it is left in the real time of the test.
    for (const { settle } of this.runs) settle(new Error('killed'));
    this.runs.clear();
  }

  /** What must hold whenever its code has run. */
  check(): void {
    for (const { epoch, log, signal } of this.runs)
      if (this.refused.has(`${log.stream} ${epoch}`) && !signal.aborted)
        this.world.violated(`${this.id} knows that it lost ${log.stream}, and its callbacks do not`);
  }

  private refresh(): void {
    this.announce();
    if (this.alive) this.process.setTimeout(() => this.refresh(), REFRESH);
  }

  /** Hints may have been lost. */
  private reconnected(): void {
    for (const look of this.looks)
      for (const hint of ['interests', 'owners', 'replays', 'forgotten'] as const) look(hint);
  }

  private readonly callback: DetectionCallback = (_detection, meta) => this.begin(this.current!, meta);

  private begin({ batch, detectionId, log, place }: DecodedEntry, meta: DetectionMeta): unknown {
    const { attempt, redelivered, signal } = meta;
    const { epoch } = log;
    const id = detectionAt(batch.id, place);
    const start = { processId: this.id, log: log.log, id, detectionId, epoch, attempt, redelivered };
    const { fate, lasts, fails } = this.world.started(start);
    const error = fails ? new Error('as planned') : undefined;
    const end = () => {
      if (fate !== undefined && !fails) fate.succeeded = true;
      if (fate !== undefined && fails) fate.failed = true;
    };
    if (lasts === 0) {
      end();
      if (error !== undefined) throw error;
      return undefined;
    }
    return new Promise<void>((resolve, reject) => {
      const settle = (thrown?: Error) => (thrown === undefined ? resolve() : reject(thrown));
      const run: Run = { log: log.log, epoch, signal, settle };
      this.runs.add(run);
      this.process.setTimeout(() => {
        this.runs.delete(run);
        end();
        settle(error);
      }, lasts);
    });
  }

  private tracer(): DetectionTracer {
    return {
      received: () => ({ context: undefined, end: () => undefined }),
      sending: (detection, log) => ({
        fields: null,
        end: (outcome) => this.world.sent(log, detection, outcome),
      }),
      processing: (entry) => ({
        run: (callbacks) => {
          this.current = entry as DecodedEntry;
          return callbacks();
        },
        failed: () => undefined,
        end: () => undefined,
      }),
      resumed: () => undefined,
    };
  }

  /** Notes which epochs are over for this process. */
  private listening(store: LogStore): LogStore {
    const note = (log: LogAddress, epoch: string, standing: string) => {
      if (standing === 'refused') this.refused.add(`${log.stream} ${epoch}`);
    };
    return {
      ...store,
      acknowledge: async (calls) => {
        const standings = await store.acknowledge(calls);
        for (const [i, { epoch, log }] of calls.entries()) note(log, epoch, standings[i]!);
        return standings;
      },
      deadLetter: async (letter) => {
        const result = await store.deadLetter(letter);
        note(letter.log, letter.epoch, result.standing);
        return result;
      },
    };
  }
}
