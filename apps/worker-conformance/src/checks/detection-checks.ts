import type { ImageDetectionMessage, SubscribePayload } from '@detector-cluster/worker-protocol';
import { timestampToDate } from '@detector-cluster/worker-protocol';
import { type Check, demand, skip } from '../check.js';
import { FRAME } from '../stage/motion-jpeg-server.js';

const MAX_DETECTION_BYTES = 65_536;
/** By which the clocks of the two machines may differ. Milliseconds. */
const CLOCK_LEEWAY = 10 * 60_000;
/** Pixels by which a box may reach beyond an edge. */
const EDGE_LEEWAY = 1;

/** Together they must be more than the kernels take of a connection that is not read. */
const STALLED_ROWS = 1_000;
const STALLED_REPORTS = 150;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const boxesOf = ({ data }: ImageDetectionMessage) => {
  const boxes = data.detection?.boxes;
  return Array.isArray(boxes) && boxes.length > 0 ? (boxes as Box[]) : undefined;
};

/** Fails unless the boxes are within a region. */
function demandWithin(boxes: readonly Box[], left: number, top: number, right: number, bottom: number): void {
  for (const { height, width, x, y } of boxes)
    demand(
      width > 0 &&
        height > 0 &&
        x >= left - EDGE_LEEWAY &&
        y >= top - EDGE_LEEWAY &&
        x + width <= right + EDGE_LEEWAY &&
        y + height <= bottom + EDGE_LEEWAY,
      `the box of ${width} × ${height} pixels at ${x}, ${y} is not within ${left}, ${top} to ${right}, ${bottom}`,
    );
}

export const detectionChecks: readonly Check[] = [
  {
    id: 'detection-valid',
    rule: 'detections are valid by their schema, at most 64 KiB, and say when the frame was analysed',
    section: 'connection',
    async play(master, worker) {
      const { subscription } = await worker.running(master);
      await worker.until('a detection', () => {
        const wrong = master.invalid.find((text) => text.includes('imageDetection'));
        demand(wrong === undefined, `a detection is invalid: ${wrong}`);
        return master.detectionsOf(subscription).length > 0;
      });
      for (const { bytes } of master.detectionFrames)
        demand(bytes <= MAX_DETECTION_BYTES, `a detection has ${bytes} bytes`);
      const { timestamp } = master.detectionsOf(subscription)[0]!;
      const off = Math.abs(timestampToDate(timestamp).getTime() - Date.now());
      demand(off <= CLOCK_LEEWAY, `the timestamp ${timestamp} is ${Math.round(off / 60_000)} min off`);
    },
  },
  {
    id: 'detection-model',
    rule: 'detections repeat modelId and modelName as subscribed',
    section: 'imagedetection',
    async play(master, worker) {
      const { subscription } = await worker.running(master);
      const { data } = await master.detection(subscription);
      demand(
        data.modelId === subscription.modelId && data.modelName === subscription.modelName,
        `a detection has modelId ${data.modelId} and modelName ${JSON.stringify(data.modelName)}, not as subscribed`,
      );
    },
  },
  {
    id: 'detection-held',
    rule: 'there are no detections of a subscription that has ended',
    section: 'imagedetection',
    async play(master, worker) {
      const { subscription } = await worker.running(master);
      await master.detection(subscription);
      master.want();
      await master.held();
      await master.read();
      const before = master.detectionsOf(subscription).length;
      const none = () => master.detectionsOf(subscription).length === before;
      demand(await worker.stays(none), 'there was a detection of a subscription that had ended');
    },
  },
  {
    id: 'detection-newest',
    rule: 'detections go to the newest connection with the highest term alone',
    section: 'connection',
    async play(older, worker) {
      const { subscription } = await worker.running(older);
      await older.detection(subscription);
      const newer = await worker.connect();
      await newer.detection(subscription);
      await older.read();
      const before = older.detections.length;
      for (let i = 0; i < 3; i++) await newer.detection(subscription);
      await older.read();
      demand(older.detections.length === before, 'a detection went to the older of two connections');
      newer.socket.close();
      await older.detection(subscription, undefined, 'after the close of the newer connection, a detection');
    },
  },
  {
    id: 'boxes',
    rule: 'boxes are within frameWidth × frameHeight, which is the size of the frame',
    section: 'imagedetection',
    async play(master, worker) {
      const { subscription } = await worker.running(master);
      await master.detection(subscription);
      const message = master.detectionsOf(subscription).find(boxesOf) ?? skip('the worker gives no boxes');
      const { frameHeight, frameWidth } = message.data.detection as Record<string, unknown>;
      demand(
        typeof frameWidth === 'number' && typeof frameHeight === 'number',
        'a detection has boxes, but no frameWidth and frameHeight',
      );
      demand(
        !worker.hasOwnCamera || (frameWidth === FRAME.width && frameHeight === FRAME.height),
        `the frame has ${FRAME.width} × ${FRAME.height} pixels, not ${frameWidth} × ${frameHeight}`,
      );
      const boxes = boxesOf(message)!;
      demandWithin(boxes, 0, 0, frameWidth, frameHeight);
      demand(
        boxes.some(({ width, height }) => width > 1 || height > 1),
        'no box is larger than a pixel: boxes are in pixels, not in parts of the frame',
      );
    },
  },
  {
    id: 'boxes-with-crop',
    rule: 'boxes of a subscription with a crop are within it, in pixels of the whole frame',
    section: 'imagedetection',
    async play(master, worker) {
      const { camera, subscription: whole } = await worker.running(master);
      await master.detection(whole);
      const message = master.detectionsOf(whole).find(boxesOf) ?? skip('the worker gives no boxes');
      const { frameHeight, frameWidth } = message.data.detection as Record<string, number>;
      // The right half: boxes in pixels of the crop would be in the left one.
      const crop = {
        cropX1: Math.round(frameWidth! / 2),
        cropY1: 0,
        cropX2: frameWidth!,
        cropY2: frameHeight!,
      };
      const half: SubscribePayload = worker.subscription(camera, crop);
      master.want(half);
      const within = await master.detection(half, (each) => boxesOf(each) !== undefined, 'a box in the crop');
      demandWithin(boxesOf(within)!, crop.cropX1, crop.cropY1, crop.cropX2, crop.cropY2);
      demand(
        within.data.detection!.frameWidth === frameWidth,
        `frameWidth is ${String(within.data.detection!.frameWidth)} with a crop, ${frameWidth} without: it is that of the whole frame`,
      );
    },
  },
  {
    id: 'master-stalled',
    rule: 'a master that reads nothing delays no reports and detections of another one',
    section: 'losing-the-connection',
    async play(stalled, worker) {
      const dead = await worker.deadCamera();
      const { subscription } = await worker.running(stalled);
      const many = Array.from({ length: STALLED_ROWS }, () => worker.subscription(dead));
      stalled.want(subscription, ...many);
      await stalled.read();
      stalled.socket.pause();
      for (let i = 0; i < STALLED_REPORTS; i++) stalled.send({ type: 'requestState' });
      const other = await worker.connect();
      for (let i = 0; i < 3; i++) {
        await other.report('a state report beside a stalled connection', () => true);
        await other.detection(subscription, undefined, 'beside a stalled connection, a detection');
      }
      stalled.socket.terminate();
      other.want();
      await other.held();
    },
  },
];
