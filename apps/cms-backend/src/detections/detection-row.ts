import type { Prisma } from '../generated/prisma/client.js';
import { storable } from '../stores/storable.js';
import { cameraOf, detectionFacts, MAX_LABEL_LENGTH, summaryOf } from './detection-facts.js';
import type { ReceivedDetection } from './recent-detections.js';

export type DetectionRow = Prisma.StoredDetectionCreateManyInput;

const MAX_ID_LENGTH = 256;

/** Times that PostgreSQL and the API can both express. */
const EARLIEST = Date.UTC(1970, 0, 1);
const LATEST = Date.UTC(9999, 11, 31);

/**
 * The row of a detection; null: its id is too long to be kept. Text that PostgreSQL refuses is removed.
 */
export function toRow(detection: ReceivedDetection, processId: string): DetectionRow | null {
  const { detectionId, subscriptionIdentifier, workerUrl, redelivered, data } = detection;
  if (detectionId.length > MAX_ID_LENGTH) return null;
  const { label, confidence, boxes, pictureId } = detectionFacts(data);
  const detectedAt = new Date(detection.timestamp);
  const receivedAt = new Date(detection.receivedAt);
  return {
    detectionId: storable(detectionId),
    subscriptionIdentifier: storable(subscriptionIdentifier),
    cameraIdentifier: storable(cameraOf(subscriptionIdentifier)),
    workerUrl: storable(workerUrl),
    processId: storable(processId),
    detectedAt: isExpressible(detectedAt) ? detectedAt : receivedAt,
    receivedAt,
    redelivered,
    label: label === null ? null : storable(label),
    labelKey: labelKey(label ?? ''),
    confidence,
    boxes: boxes.map((box) => [...box]),
    pictureId: pictureId === null ? null : storable(pictureId),
    summary: storable(summaryOf(data)),
  };
}

/** A plate or label in the form for searches, without differences in spacing and case. */
export function labelKey(label: string): string {
  return label
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .slice(0, MAX_LABEL_LENGTH);
}

function isExpressible(date: Date): boolean {
  return date.getTime() >= EARLIEST && date.getTime() <= LATEST;
}
