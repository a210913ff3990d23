import { FencedError } from '@detector-cluster/election/fence';
import { pause } from '@detector-cluster/election/internal';
import { partitionLog } from '../log/log-address.js';
import { DetectionRouter } from '../send/detection-router.js';
import type { DeliveryProcess } from './delivery-process.js';
import type { DeliveryWorld } from './delivery-world.js';
import { linkInterestStore, linkLogStore, linkPartitionCount, linkReplayStore } from './link-stores.js';
import type { ModelLink } from './model-link.js';

/** Milliseconds. */
const MAX_RETIREMENT = 3_000;

/** One term of a process as master, with the real router. */
export class Mastership {
  readonly router: DetectionRouter;
  /** Until when it considers itself master, on the clock of the world. */
  validUntil = Infinity;
  over = false;
  /** Its term is over. */
  retired = false;
  private started = false;
  private readonly appending: ModelLink;

  constructor(
    private readonly world: DeliveryWorld,
    readonly holder: DeliveryProcess,
    readonly term: number,
    partitions: number,
  ) {
    const { keys, members, options, server } = world;
    const { callPerLog } = options;
    const general = { link: holder.general, server, callPerLog };
    this.appending = holder.makeLink({ timeout: 1_000, silence: 3_000, queues: false });
    holder.links.push(this.appending);
    this.router = new DetectionRouter({
      stores: {
        logs: linkLogStore(general),
        append: { store: linkLogStore({ ...general, link: this.appending }), callPerLog },
        guard: () => Promise.resolve(),
        confirmTerm: () => holder.general.call(() => server.raise(term)),
        interests: linkInterestStore(general, term),
        partitions: linkPartitionCount(general, term),
        replays: linkReplayStore(general, (partition) => partitionLog(keys, partition)),
        watch: ({ interests, owners, replays }) =>
          holder.watch((hint) => {
            if (hint !== 'forgotten') ({ interests, owners, replays })[hint]();
          }),
        close: () => this.appending.close(),
      },
      keys,
      processId: holder.id,
      term,
      isValid: () => this.isValid,
      publishAssignments: (_, changed) =>
        holder.general.call(() => {
          if (changed) server.onHint('owners');
        }),
      readMembers: async () => this.setMembers(await holder.general.call(() => members.listed)),
      onEvent: (event) => {
        if (event.type === 'deposed') this.over = true;
        if (event.type !== 'redis-error') world.note(`${holder.id} in ${term}: ${JSON.stringify(event)}`);
      },
      clock: holder.process,
      tracing: holder.tracing,
      options: { ...options.router, partitions },
    });
    holder.process.input(() => {
      this.appending.open();
      void this.begin();
    });
  }

  get isValid(): boolean {
    return !this.over && this.holder.process.alive && this.world.time.now < this.validUntil;
  }

  /** The members have changed. */
  membersChanged(listed: readonly string[]): void {
    this.holder.process.input(() => {
      if (!this.over) this.setMembers(listed);
    });
  }

  /** Workers are still connected to it. */
  get reads(): boolean {
    return !this.over && this.holder.process.alive && (this.retired || this.isValid);
  }

  /** Workers may connect to it. */
  get isReady(): boolean {
    return this.started && this.reads && !this.retired;
  }

  /** It hears that its term is over, or gives it up. For a while it appends what it has, and what workers still send. */
  retire(): void {
    if (this.over || this.retired) return;
    this.retired = true;
    this.holder.process.input(() => this.router.handOver());
    this.world.time.after(this.world.dice.between(0, MAX_RETIREMENT), () => this.end());
  }

  /** It has nothing more to do. */
  end(): void {
    this.holder.process.input(() => {
      this.over = true;
      this.router.close();
    });
  }

  /** As `MasterSlaveWorkerCluster`: a master that is alone takes the detections itself. */
  private setMembers(listed: readonly string[]): void {
    const slaves = listed.filter((id) => id !== this.holder.id).sort();
    this.router.setMembers(slaves.length > 0 ? slaves : [this.holder.id]);
  }

  /** Raises the fence before it reads anything, as `MasterTerm` does. */
  private async begin(): Promise<void> {
    const { holder, term, world } = this;
    const { server } = world;
    while (!this.over) {
      try {
        await holder.general.call(() => server.raise(term));
        await this.router.start();
        this.started = true;
        return;
      } catch (error) {
        if (error instanceof FencedError) return this.end();
        await pause(50, holder.process);
      }
    }
  }
}
