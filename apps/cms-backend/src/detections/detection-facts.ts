import type { DetectionBox, DetectionItem } from '@detector-cluster/dashboard-protocol';
import { z } from 'zod';

export const MAX_LABEL_LENGTH = 128;
/** Longest summary. Characters. */
export const MAX_SUMMARY = 500;
export const MAX_PICTURE_ID_LENGTH = 256;
/** How many boxes of one detection are shown. */
export const MAX_BOXES = 8;

export type DetectionFacts = Pick<DetectionItem, 'label' | 'confidence' | 'boxes' | 'pictureId'>;

const text = z.string().trim().min(1).nullish().catch(null);
const confidence = z.number().min(0).max(1).nullish().catch(null);
const size = z.number().positive();
const place = z.object({ x: z.number(), y: z.number(), width: size, height: size });

/** The fields of a detection that the service shows if they have the expected type. Models may report anything. */
const facts = z.object({
  licensePlateText: text,
  licensePlateConfidence: confidence,
  carBrand: text,
  carModel: text,
  label: text,
  confidence,
  boxes: z.array(z.unknown()).nullish().catch(null),
  frameWidth: size.nullish().catch(null),
  frameHeight: size.nullish().catch(null),
  pictureId: z.string().min(1).max(MAX_PICTURE_ID_LENGTH).nullish().catch(null),
});

const reported = z.object({ detection: facts });

/** What a worker reported, as JSON cut to a length that lists can show. */
export function summaryOf(data: unknown): string {
  return String(JSON.stringify(data)).slice(0, MAX_SUMMARY);
}

/** The camera of a subscription. Never throws. */
export function cameraOf(subscriptionIdentifier: string): string {
  return subscriptionIdentifier.slice(subscriptionIdentifier.indexOf(';') + 1);
}

/** Reads what a page shows of a detection from the `data` that the worker reported. Never throws. */
export function detectionFacts(data: unknown): DetectionFacts {
  const found = reported.safeParse(data).data?.detection;
  if (found === undefined) return { label: null, confidence: null, boxes: [], pictureId: null };
  const { licensePlateText: plate, carBrand, carModel, frameWidth, frameHeight } = found;
  const car = [carBrand, carModel].filter(Boolean).join(' ');
  const frame = frameWidth && frameHeight ? { width: frameWidth, height: frameHeight } : null;
  return {
    label: (plate ?? found.label ?? (car || null))?.slice(0, MAX_LABEL_LENGTH) ?? null,
    confidence: (plate ? found.licensePlateConfidence : found.confidence) ?? null,
    boxes: frame === null ? [] : (found.boxes ?? []).slice(0, MAX_BOXES).flatMap((box) => boxIn(frame, box)),
    pictureId: found.pictureId ?? null,
  };
}

/** The part of a box that is inside the frame; none if the box is outside. */
function boxIn(frame: { readonly width: number; readonly height: number }, box: unknown): DetectionBox[] {
  const found = place.safeParse(box).data;
  if (found === undefined) return [];
  const left = share(found.x / frame.width);
  const top = share(found.y / frame.height);
  const width = share((found.x + found.width) / frame.width) - left;
  const height = share((found.y + found.height) / frame.height) - top;
  return width > 0 && height > 0 ? [[left, top, round(width), round(height)]] : [];
}

function share(value: number): number {
  return round(Math.min(1, Math.max(0, value)));
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
