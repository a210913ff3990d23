import { TIMESTAMP_PATTERN } from '../fields.js';
import { MAX_FRAME_BYTES } from '../protocol-constants.js';
import { JsonScanner, scannedNames } from './json-scanner.js';

const MESSAGE = scannedNames(['type', 'subscriptionIdentifier', 'timestamp', 'data']);
const DATA = scannedNames(['modelId', 'modelName', 'detection']);
/** The first five are texts, the others numbers. */
const DETECTION = scannedNames([
  'carModel',
  'carBrand',
  'bodyType',
  'licensePlateText',
  'licensePlateType',
  'carYear',
  'licensePlateConfidence',
]);
const TEXTS = 5;
const TYPE = scannedNames(['imageDetection']);

// Required members, as bits. If a member comes twice, the last one counts, as in `JSON.parse`, and both are checked.
const ALL_OF_MESSAGE = 0b1111;
const ALL_OF_DATA = 0b011;

const MAX_IDENTIFIER = 1024;
/** Every integer of at most this many characters is safe. */
const SAFE_LENGTH = 15;
/** Every number of at most this many characters is finite, if it has no exponent. */
const FINITE_LENGTH = 300;

const scanner = new JsonScanner();
let subscription = '';

/**
 * Reads the subscription of an `imageDetection` frame without parsing the frame. Returns null for every frame that
 * `parseWorkerMessage` refuses, and for some that it accepts: messages of another type or with further members, escapes in
 * names, unusual numbers. If it returns null, ask `parseWorkerMessage`.
 */
export function subscriptionOfDetection(frame: Buffer): string | null {
  if (frame.length > MAX_FRAME_BYTES) return null;
  scanner.reset(frame);
  return message(frame) && scanner.ends() ? subscription : null;
}

function message(frame: Buffer): boolean {
  if (!scanner.entersObject()) return false;
  for (let seen = 0; ;) {
    if (!scanner.name()) return false;
    const member = scanner.indexIn(MESSAGE);
    if (member < 0 || !memberOfMessage(frame, member)) return false;
    seen |= 1 << member;
    const next = scanner.next();
    if (next !== 1) return next === 0 && seen === ALL_OF_MESSAGE;
  }
}

function memberOfMessage(frame: Buffer, member: number): boolean {
  if (member === 3) return data();
  if (!scanner.string() || !scanner.plain) return false;
  const { start, stop } = scanner;
  switch (member) {
    case 0:
      return scanner.indexIn(TYPE) === 0;
    case 1:
      // A character has at least one byte, so the number of bytes limits the number of characters.
      if (stop === start || stop - start > MAX_IDENTIFIER) return false;
      subscription = frame.toString('utf8', start, stop);
      return true;
    default:
      return TIMESTAMP_PATTERN.test(frame.toString('latin1', start, stop));
  }
}

function data(): boolean {
  if (!scanner.entersObject()) return false;
  for (let seen = 0; ;) {
    if (!scanner.name()) return false;
    const member = scanner.indexIn(DATA);
    if (!memberOfData(member)) return false;
    if (member >= 0) seen |= 1 << member;
    const next = scanner.next();
    if (next !== 1) return next === 0 && (seen & ALL_OF_DATA) === ALL_OF_DATA;
  }
}

function memberOfData(member: number): boolean {
  switch (member) {
    case 0:
      return scanner.number() && scanner.integer && scanner.stop - scanner.start <= SAFE_LENGTH;
    case 1:
      return scanner.string();
    case 2:
      return scanner.null() || detection();
    default:
      return scanner.value();
  }
}

function detection(): boolean {
  if (!scanner.entersObject()) return false;
  if (scanner.leavesEmptyObject()) return true;
  for (;;) {
    if (!scanner.name() || !memberOfDetection(scanner.indexIn(DETECTION))) return false;
    const next = scanner.next();
    if (next !== 1) return next === 0;
  }
}

function memberOfDetection(member: number): boolean {
  if (member < 0) return scanner.value();
  return scanner.null() || (member < TEXTS ? scanner.string() : finite());
}

function finite(): boolean {
  return scanner.number() && scanner.decimal && scanner.stop - scanner.start <= FINITE_LENGTH;
}
