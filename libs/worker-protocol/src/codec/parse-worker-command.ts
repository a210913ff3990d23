import type { WorkerCommand, WorkerCommandType } from '../commands/worker-command.js';
import { workerCommandSchemas } from '../commands/worker-command.js';
import { issueDetail } from './issue-detail.js';
import { parseJsonFrame } from './parse-json-frame.js';
import type { WorkerCommandResult } from './parse-result.js';
import { unknownTypeDetail } from './unknown-type-detail.js';

const isKnown = (type: string): type is WorkerCommandType => Object.hasOwn(workerCommandSchemas, type);

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
  if (!isKnown(type)) return { ok: false, kind: 'unknown-type', detail: unknownTypeDetail(type) };
  const result = workerCommandSchemas[type].safeParse(withPayload(type, value));
  return result.success
    ? { ok: true, command: result.data as WorkerCommand }
    : { ok: false, kind: `invalid-${type}`, detail: issueDetail(result.error) };
}
