import {
  plainTextProblem,
  type DesiredCameraSubscription,
  type SkipReason,
} from '@detector-cluster/placement/internal';
import { redactCameraUrl } from '../shared/redact-url.js';

/** A region of the image, in pixels, top left (X1,Y1) to bottom right (X2,Y2). */
export interface Crop {
  readonly cropX1: number;
  readonly cropY1: number;
  readonly cropX2: number;
  readonly cropY2: number;
}

const CROP_FIELDS = ['cropX1', 'cropY1', 'cropX2', 'cropY2'] as const;
const STREAM_SCHEMES = ['rtsp:', 'rtsps:', 'http:', 'https:'];
const HTTP_SCHEMES = ['http:', 'https:'];
const MAX_URL_LENGTH = 4096;
const MAX_NAME_LENGTH = 256;
// eslint-disable-next-line no-control-regex
const NOT_IN_URL = /[\s\u0000-\u001f\u007f-\u009f]/;

/** The problem of a value, or null. The text never contains a credential. */
export type Problem = string | null;

/** Converting an object to text may throw. */
const shown = (value: unknown): string => (typeof value === 'object' ? kind(value) : String(value));

const kind = (value: unknown): string => (value === null ? 'null' : typeof value);

function urlProblem(value: unknown, schemes: readonly string[]): Problem {
  if (typeof value !== 'string') return `must be a URL, got ${kind(value)}`;
  if (value.length > MAX_URL_LENGTH)
    return `must be at most ${MAX_URL_LENGTH} characters, got ${value.length}`;
  if (NOT_IN_URL.test(value)) return 'must not contain white space or control characters';
  const expected = schemes.map((scheme) => `${scheme}//`).join(', ');
  if (!URL.canParse(value))
    return `must be a URL that starts with ${expected} (special characters in a password must be percent-encoded)`;
  const url = new URL(value);
  if (!schemes.includes(url.protocol)) return `must start with ${expected}, got "${url.protocol}"`;
  if (url.hostname === '') return `"${redactCameraUrl(value)}" names no host`;
  return null;
}

/** rtsp, rtsps, http or https, with a host. */
export const streamUrlProblem = (value: unknown): Problem => urlProblem(value, STREAM_SCHEMES);

/** http or https, with a host. */
export const httpUrlProblem = (value: unknown): Problem => urlProblem(value, HTTP_SCHEMES);

export function intervalProblem(value: unknown): Problem {
  return Number.isSafeInteger(value) && (value as number) > 0
    ? null
    : `must be a whole number of milliseconds above 0, got ${shown(value)}`;
}

export function modelIdProblem(value: unknown): Problem {
  return Number.isSafeInteger(value) ? null : `must be an integer, got ${shown(value)}`;
}

export function modelNameProblem(value: unknown): Problem {
  if (typeof value !== 'string') return `must be a string, got ${kind(value)}`;
  if (value.trim() === '') return 'must not be empty';
  if (value.length > MAX_NAME_LENGTH)
    return `must be at most ${MAX_NAME_LENGTH} characters, got ${value.length}`;
  return plainTextProblem(value);
}

const MAX_VERSION_LENGTH = 128;

/** 1 to 128 printable characters. */
export function modelVersionProblem(value: unknown): Problem {
  if (typeof value !== 'string') return `must be a string, got ${kind(value)}`;
  if (value.length < 1 || value.length > MAX_VERSION_LENGTH)
    return `must be 1 to ${MAX_VERSION_LENGTH} characters, got ${value.length}; give a hash of a longer one`;
  return plainTextProblem(value);
}

interface FieldProblem {
  readonly field: string;
  readonly problem: string;
}

type CropReading = { readonly crop: Crop | null } | FieldProblem;

/** Whether any of the four coordinates is given. */
export function hasCrop(source: Readonly<Record<string, unknown>>): boolean {
  return CROP_FIELDS.some((field) => source[field] !== undefined && source[field] !== null);
}

/** All four or none; whole numbers from 0; X1 < X2 and Y1 < Y2. Null means absent. */
export function readCrop(source: Readonly<Record<string, unknown>>): CropReading {
  if (!hasCrop(source)) return { crop: null };
  for (const field of CROP_FIELDS) {
    const value = source[field];
    if (value === undefined || value === null)
      return { field, problem: 'is missing: give all of cropX1, cropY1, cropX2, cropY2 or none' };
    if (!Number.isSafeInteger(value) || (value as number) < 0)
      return { field, problem: `must be a whole number of pixels from 0, got ${shown(value)}` };
  }
  const crop = Object.fromEntries(CROP_FIELDS.map((field) => [field, source[field]])) as unknown as Crop;
  if (crop.cropX1 >= crop.cropX2)
    return { field: 'cropX2', problem: `must be above cropX1 (${crop.cropX1}), got ${crop.cropX2}` };
  if (crop.cropY1 >= crop.cropY2)
    return { field: 'cropY2', problem: `must be above cropY1 (${crop.cropY1}), got ${crop.cropY2}` };
  return { crop };
}

/** The fields that describe a stream, in the order in which they are checked. */
const STREAM_FIELDS = [
  ['rtspUrl', streamUrlProblem, 'required'],
  ['snapshotUrl', httpUrlProblem, 'optional'],
  ['snapshotInterval', intervalProblem, 'optional'],
  ['modelId', modelIdProblem, 'required'],
  ['modelName', modelNameProblem, 'required'],
  ['modelUrl', httpUrlProblem, 'optional'],
  ['modelVersion', modelVersionProblem, 'optional'],
] as const;

type StreamFields = Omit<DesiredCameraSubscription, 'subscriptionIdentifier' | 'createdAt'>;

/** Returns the known fields alone, or the first that is unusable. Null means absent. */
export function readStream(
  source: Readonly<Record<string, unknown>>,
): { readonly stream: StreamFields } | FieldProblem {
  const stream: Record<string, unknown> = {};
  for (const [field, problemOf, need] of STREAM_FIELDS) {
    const value = source[field];
    if (need === 'optional' && (value === undefined || value === null)) continue;
    const problem = problemOf(value);
    if (problem !== null) return { field, problem };
    stream[field] = value;
  }
  const reading = readCrop(source);
  if ('problem' in reading) return reading;
  return { stream: { ...(stream as unknown as StreamFields), ...reading.crop } };
}

/** Why a subscription with a problem in this field is skipped. */
export function reasonOf(field: string): SkipReason {
  if (field === 'rtspUrl') return 'invalid-rtsp-url';
  if (field.startsWith('snapshot')) return 'invalid-snapshot';
  return field.startsWith('crop') ? 'invalid-crop' : 'invalid-model';
}
