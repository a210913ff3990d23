import { type WorkerCommand, workerCommandSchemas, type WorkerCommandType } from './worker-command.js';
import {
  isImageDetection,
  withoutInvalidFields,
  type WorkerMessage,
  workerMessageSchemas,
  type WorkerMessageType,
} from './worker-message.js';
import { issueDetail, parseJsonFrame, unknownTypeDetail } from './json-frame.js';

/** Why a frame was refused. The set is small and fixed, so that the codes can be metric labels. */
export type ParseFailureKind<Type extends string = WorkerMessageType | WorkerCommandType> =
  'too-large' | 'too-deep' | 'not-json' | 'not-an-object' | 'unknown-type' | `invalid-${Type}`;

export interface ParseFailure<Type extends string = WorkerMessageType | WorkerCommandType> {
  readonly ok: false;
  readonly kind: ParseFailureKind<Type>;
  /** One line for a log, at most 200 characters; names fields, never their values. */
  readonly detail: string;
}

export type WorkerMessageResult =
  | {
      readonly ok: true;
      readonly message: WorkerMessage;
      /** Invalid fields were left out. One line for a log, as of a failure. */
      readonly ignored?: string;
    }
  | ParseFailure<WorkerMessageType>;

export type WorkerCommandResult =
  { readonly ok: true; readonly command: WorkerCommand } | ParseFailure<WorkerCommandType>;

const isMessageType = (type: string): type is WorkerMessageType => Object.hasOwn(workerMessageSchemas, type);

/**
 * Parses one frame of a worker. Never throws.
 *
 * Unknown fields are kept; keys that poison prototypes are dropped.
 */
export function parseWorkerMessage(raw: string | Buffer): WorkerMessageResult {
  const frame = parseJsonFrame(raw);
  if (!frame.ok) return frame;
  const { type, value } = frame;
  if (isImageDetection(value)) return { ok: true, message: value };
  if (!isMessageType(type)) return { ok: false, kind: 'unknown-type', detail: unknownTypeDetail(type) };
  const result = workerMessageSchemas[type].safeParse(value);
  if (result.success) return { ok: true, message: result.data as WorkerMessage };
  const reduced = type === 'stateReport' ? withoutInvalidFields(value) : null;
  const again = reduced === null ? null : workerMessageSchemas[type].safeParse(reduced.value);
  return again?.success
    ? { ok: true, message: again.data as WorkerMessage, ignored: reduced!.detail }
    : { ok: false, kind: `invalid-${type}`, detail: issueDetail(again?.error ?? result.error) };
}

/** The text frame that carries `message`; for implementations of a worker. */
export function encodeWorkerMessage(message: WorkerMessage): string {
  return JSON.stringify(message);
}

const isCommandType = (type: string): type is WorkerCommandType => Object.hasOwn(workerCommandSchemas, type);

/** Some masters send the list of subscriptions beside `type` instead of in `payload`. */
function withPayload(type: WorkerCommandType, value: Record<string, unknown>): Record<string, unknown> {
  if (type !== 'setSubscriptionList' || value.payload !== undefined) return value;
  const { subscriptions, ...rest } = value;
  return { ...rest, payload: { subscriptions } };
}

/** Parses one frame of a master; for implementations of a worker. Never throws. */
export function parseWorkerCommand(raw: string | Buffer): WorkerCommandResult {
  const frame = parseJsonFrame(raw);
  if (!frame.ok) return frame;
  const { type, value } = frame;
  if (!isCommandType(type)) return { ok: false, kind: 'unknown-type', detail: unknownTypeDetail(type) };
  const result = workerCommandSchemas[type].safeParse(withPayload(type, value));
  return result.success
    ? { ok: true, command: result.data as WorkerCommand }
    : { ok: false, kind: `invalid-${type}`, detail: issueDetail(result.error) };
}

/** The text frame that carries `command`. */
export function encodeCommand(command: WorkerCommand): string {
  return JSON.stringify(command);
}
