import type { ImageDetectionMessage } from './image-detection.message.js';
import { TIMESTAMP_PATTERN } from '../fields/timestamp.field.js';

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown) => typeof value === 'string' || value === undefined || value === null;
const isNumber = (value: unknown) => Number.isFinite(value) || value === undefined || value === null;

// The schema counts characters. Most strings are short enough even in code units.
const isShort = (text: string) => text.length <= 1024 || (text.length <= 2048 && [...text].length <= 1024);

const isDetection = (value: unknown) =>
  value === undefined ||
  value === null ||
  (isObject(value) &&
    isText(value.carModel) &&
    isText(value.carBrand) &&
    isNumber(value.carYear) &&
    isText(value.bodyType) &&
    isText(value.licensePlateText) &&
    isText(value.licensePlateType) &&
    isNumber(value.licensePlateConfidence));

/**
 * The `imageDetection` schema as a predicate over parsed JSON, because it runs for every detection. It accepts exactly
 * what the schema accepts, as a property test asserts. A change of one requires the same change of the other.
 */
export function isImageDetection(message: unknown): message is ImageDetectionMessage {
  if (!isObject(message) || message.type !== 'imageDetection') return false;
  const { subscriptionIdentifier, timestamp, data } = message;
  return (
    typeof subscriptionIdentifier === 'string' &&
    subscriptionIdentifier.length >= 1 &&
    isShort(subscriptionIdentifier) &&
    typeof timestamp === 'string' &&
    TIMESTAMP_PATTERN.test(timestamp) &&
    isObject(data) &&
    Number.isSafeInteger(data.modelId) &&
    typeof data.modelName === 'string' &&
    isDetection(data.detection)
  );
}
