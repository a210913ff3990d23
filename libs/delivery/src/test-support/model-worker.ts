import { SettledWatermark } from '../send/settled-watermark.js';
import type { DeliveryWorld } from './delivery-world.js';
import type { Mastership } from './mastership.js';

interface Frame {
  readonly seq: number;
  readonly detectionId: string;
  readonly subscription: string;
}

/** A connection of the worker to a master. */
interface Connection {
  readonly mastership: Mastership;
  readonly boot: string;
  readonly watermark: SettledWatermark;
  isOpen: boolean;
  /** Number of the last frame that was written to it. */
  sent: number;
  /** When the last frame arrives, on the clock of the world. */
  arrival: number;
}

/** How often the worker looks for a newer master. Milliseconds. */
const LOOK = 40;

/** Milliseconds. */
const CONFIRM_EVERY = 100;

/**
 * A worker that numbers its detections: it keeps what is not confirmed, and sends it first on each new connection. Its link to the master
 * is a stream of frames that can break in the middle.
 */
export class ModelWorker {
  private starts = 0;
  private boot = '';
  private seq = 0;
  private kept: Frame[] = [];
  private connection: Connection | undefined;
  private moving = false;
  /** Connections on which a confirmation is due. */
  private readonly confirming = new Set<Connection>();
  /** Numbered detections that a master has taken although no process listens. */
  private readonly unheard = new Set<string>();

  constructor(
    private readonly world: DeliveryWorld,
    /** Most frames that it keeps. */
    private readonly most: number,
  ) {
    this.restart();
    this.lookLater();
  }

  /** Frames that are not confirmed. */
  get unconfirmed(): number {
    return this.kept.length;
  }

  detect(subscription: string): void {
    const seq = ++this.seq;
    this.kept.push({ seq, detectionId: `${this.boot}-${seq}`, subscription });
    if (this.kept.length > this.most) this.kept.shift();
    this.send();
  }

  /** What is on its way on the connection is lost. */
  breakConnection(): void {
    if (this.connection !== undefined) this.connection.isOpen = false;
    this.connection = undefined;
  }

  /** What it had kept is lost, and it numbers from 1 under another boot. */
  restart(): void {
    this.breakConnection();
    this.boot = `boot${++this.starts}`;
    this.seq = 0;
    this.kept = [];
  }

  private lookLater(): void {
    this.world.time.after(LOOK, () => {
      this.look();
      this.lookLater();
    });
  }

  private look(): void {
    const { dice, masterships, time } = this.world;
    if (this.connection?.mastership.reads === false) this.breakConnection();
    const newest = masterships.findLast(({ isReady }) => isReady);
    if (newest === undefined || newest === this.connection?.mastership || this.moving) return;
    this.moving = true;
    time.after(dice.between(0, 200), () => {
      this.moving = false;
      if (newest.isReady) this.connect(newest);
    });
  }

  private connect(mastership: Mastership): void {
    this.breakConnection();
    const watermark = new SettledWatermark(() => this.confirmLater(connection));
    const connection: Connection = {
      mastership,
      boot: this.boot,
      watermark,
      isOpen: true,
      sent: 0,
      arrival: 0,
    };
    this.connection = connection;
    this.send();
  }

  /** Writes what the connection has not got, oldest first. */
  private send(): void {
    const { connection } = this;
    if (connection === undefined) return;
    const { dice, options, time } = this.world;
    for (const frame of this.unsentOn(connection)) {
      connection.sent = Math.max(connection.sent, frame.seq);
      // Later than the frame before, also by the inexact arithmetic of the clock.
      connection.arrival = Math.max(connection.arrival + 1e-6, time.now + dice.between(...options.latency));
      time.after(connection.arrival - time.now, () => {
        if (!connection.isOpen) return;
        connection.mastership.holder.process.input(() => this.receive(connection, frame));
      });
    }
  }

  private unsentOn({ sent }: Connection): Frame[] {
    return this.kept.filter(({ seq }) => seq > sent);
  }

  /** In the master. As `DetectorConnection`, it refuses a number that is not above the one before. */
  private receive({ mastership, watermark }: Connection, { detectionId, seq, subscription }: Frame): void {
    if (seq <= watermark.last) return;
    const { holder, router } = mastership;
    const unheard = () => router.stats().unheard;
    const before = unheard();
    const onSettled = watermark.take(seq);
    router.route(
      {
        detectionId,
        isNumbered: true,
        workerUrl: 'ws://w',
        subscriptionIdentifier: subscription,
        receivedAt: holder.process.wallNow(),
        frame: JSON.stringify({ subscriptionIdentifier: subscription, data: { detection: null } }),
      },
      onSettled,
    );
    if (unheard() > before) this.unheard.add(detectionId);
  }

  /** In the master. */
  private confirmLater(connection: Connection): void {
    if (this.confirming.has(connection)) return;
    this.confirming.add(connection);
    const { boot, mastership, watermark } = connection;
    mastership.holder.process.setTimeout(() => {
      this.confirming.delete(connection);
      if (mastership.over) return;
      const { upTo } = watermark;
      const { dice, options, time } = this.world;
      time.after(dice.between(...options.latency), () => {
        if (connection.isOpen) this.confirmed(boot, upTo);
      });
    }, CONFIRM_EVERY);
  }

  private confirmed(boot: string, upTo: number): void {
    if (boot !== this.boot) return;
    for (const { detectionId, seq, subscription } of this.kept)
      if (seq <= upTo && !this.unheard.has(detectionId) && !this.world.isAccountedFor(detectionId))
        this.world.violated(`${detectionId} of ${subscription} was confirmed, and is in no log`);
    this.kept = this.kept.filter(({ seq }) => seq > upTo);
  }
}
