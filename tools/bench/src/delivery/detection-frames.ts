import { identifierOf } from '../cluster/plan-world.js';
import { FRAME_BYTES, SUBSCRIPTIONS } from './workload.js';

/** The fields of a detection that the benchmark reads. */
export interface BenchDetection {
  /** {@link NUMBER_BASE} plus the number of the detection. */
  readonly n: number;
  /** {@link INSTANT_BASE} plus the instant at which the detection is due, in microseconds of the shared clock. */
  readonly dueAt: number;
}

// These give every number the same count of digits, so that all frames have the same size.
const NUMBER_BASE = 1_000_000_000;
const INSTANT_BASE = 1_000_000_000_000_000;

export function numberOf({ n }: BenchDetection): number {
  return n - NUMBER_BASE;
}

/** Returns milliseconds of the shared clock. */
export function dueAtOf({ dueAt }: BenchDetection): number {
  return (dueAt - INSTANT_BASE) / 1_000;
}

/** Bytes of a frame with its WebSocket header. */
export const WIRE_BYTES = 4 + FRAME_BYTES;

const HEADER = Buffer.from([0x81, 126, FRAME_BYTES >> 8, FRAME_BYTES & 0xff]);

const startOf = (n: number, due: number, timestamp: string): string =>
  `{"type":"imageDetection","timestamp":"${timestamp}","data":{"detection":{"n":${NUMBER_BASE + n},` +
  `"dueAt":${INSTANT_BASE + Math.round(due * 1_000)},`;

/** The text of a frame after its start. */
function endOf(subscription: number): string {
  const detection = {
    carModel: 'Corolla',
    carBrand: 'Toyota',
    carYear: 2019,
    bodyType: 'sedan',
    licensePlateText: 'ABC-1234',
    licensePlateConfidence: 0.95,
    box: [412, 233, 380, 214],
  };
  const end = (note: string) =>
    `${JSON.stringify({ ...detection, note }).slice(1)},"modelId":${1 + (subscription % 5)},"modelName":"vehicle-v2"},` +
    `"subscriptionIdentifier":"${identifierOf(subscription)}"}`;
  const missing = FRAME_BYTES - startOf(0, 0, new Date(0).toISOString()).length - end('').length;
  return end('x'.repeat(missing));
}

/** Makes frames of one size for all subscriptions. */
export class DetectionFrames {
  private readonly ends = Array.from({ length: SUBSCRIPTIONS }, (_, subscription) => endOf(subscription));
  private timestamp = '';
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
    target.set(HEADER, offset);
    target.write(startOf(n, due, this.timestamp) + this.ends[n % SUBSCRIPTIONS]!, offset + 4, 'latin1');
  }
}
