import { FRAME_BYTES, identifierOf, SUBSCRIPTIONS } from './workload.js';

/** The fields of a detection that the benchmark reads. */
export interface BenchDetection {
  /** {@link NUMBER_BASE} plus the number of the detection. */
  readonly n: number;
  /** {@link INSTANT_BASE} plus the instant at which the detection is due, in microseconds of the shared clock. */
  readonly dueAt: number;
}

// These give every number the same count of digits. Frames are made once, and digits are written into them.
const NUMBER_BASE = 1_000_000_000;
const INSTANT_BASE = 1_000_000_000_000_000;

export function numberOf({ n }: BenchDetection): number {
  return n - NUMBER_BASE;
}

/** Returns milliseconds of the shared clock. */
export function dueAtOf({ dueAt }: BenchDetection): number {
  return (dueAt - INSTANT_BASE) / 1_000;
}

const TIMESTAMP = '2026-01-01T00:00:00.000Z';

function jsonOf(subscription: number, filler: number): string {
  const detection: BenchDetection & Record<string, unknown> = {
    carModel: 'Corolla',
    carBrand: 'Toyota',
    carYear: 2019,
    bodyType: 'sedan',
    licensePlateText: 'ABC-1234',
    licensePlateConfidence: 0.95,
    box: [412, 233, 380, 214],
    n: NUMBER_BASE,
    dueAt: INSTANT_BASE,
    note: 'x'.repeat(filler),
  };
  return JSON.stringify({
    type: 'imageDetection',
    subscriptionIdentifier: identifierOf(subscription),
    timestamp: TIMESTAMP,
    data: { detection, modelId: 1 + (subscription % 5), modelName: 'vehicle-v2' },
  });
}

/** Makes frames of one size for all subscriptions. */
export class DetectionFrames {
  /** Including the header of a WebSocket frame from a server. */
  static readonly wireBytes = 4 + FRAME_BYTES;

  private readonly texts = Array.from({ length: SUBSCRIPTIONS }, (_, subscription) =>
    jsonOf(subscription, FRAME_BYTES - jsonOf(subscription, 0).length),
  );
  private readonly wire = this.texts.map((text) => {
    const bytes = Buffer.alloc(DetectionFrames.wireBytes);
    bytes.set([0x81, 126, FRAME_BYTES >> 8, FRAME_BYTES & 0xff]);
    bytes.write(text, 4, 'latin1');
    return bytes;
  });
  private readonly numberAt = this.texts[0]!.indexOf(`"n":`) + 4;
  private readonly dueAt = this.texts[0]!.indexOf('"dueAt":') + 8;
  private readonly timestampAt = this.texts[0]!.indexOf(TIMESTAMP);
  private timestamp = TIMESTAMP;
  private timestampMs = 0;

  /** Updates the timestamp that the next frames carry. */
  touch(): void {
    const now = Date.now();
    if (now === this.timestampMs) return;
    this.timestampMs = now;
    this.timestamp = new Date(now).toISOString();
  }

  /** Writes the WebSocket frame of detection `n`. @param due milliseconds of the shared clock */
  write(target: Buffer, offset: number, n: number, due: number): void {
    this.wire[n % SUBSCRIPTIONS]!.copy(target, offset);
    const start = offset + 4;
    target.write(this.timestamp, start + this.timestampAt, 'latin1');
    target.write(String(NUMBER_BASE + n), start + this.numberAt, 'latin1');
    target.write(String(INSTANT_BASE + Math.round(due * 1_000)), start + this.dueAt, 'latin1');
  }

  /** Returns the JSON of detection `n`. */
  text(n: number, due: number): string {
    const text = this.texts[n % SUBSCRIPTIONS]!;
    return (
      text.slice(0, this.timestampAt) +
      this.timestamp +
      text.slice(this.timestampAt + TIMESTAMP.length, this.numberAt) +
      String(NUMBER_BASE + n) +
      text.slice(this.numberAt + 10, this.dueAt) +
      String(INSTANT_BASE + Math.round(due * 1_000)) +
      text.slice(this.dueAt + 16)
    );
  }
}
