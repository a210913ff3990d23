/**
 * The messages between a master and its workers: types, schemas, and parsers that never throw.
 *
 * @example
 * ```ts
 * import { encodeWorkerMessage, parseWorkerCommand } from '@detector-cluster/worker-protocol';
 *
 * const parsed = parseWorkerCommand('{"type":"requestState"}');
 * if (parsed.ok && parsed.command.type === 'requestState')
 *   console.log(encodeWorkerMessage({ type: 'stateReport', cameraConnections: [] }));
 * ```
 * @packageDocumentation
 */
export * from './protocol-constants.js';
export { detectionField, type DetectionRecord, timestampToDate } from './fields.js';
export {
  type SubscribeCommand,
  type SubscribePayload,
  type SetSubscriptionListCommand,
  type UnsubscribeCommand,
  type RequestStateCommand,
  type SetSessionIdCommand,
  type PatchSessionResultCommand,
  type DetectionsAcceptedCommand,
  workerCommandSchemas,
  type WorkerCommand,
  type WorkerCommandType,
} from './worker-command.js';
export {
  type ImageDetectionMessage,
  type CameraConnection,
  type StateReportMessage,
  type PatchSessionMessage,
  workerMessageSchemas,
  type WorkerMessage,
  type WorkerMessageType,
} from './worker-message.js';
export {
  type ParseFailure,
  type ParseFailureKind,
  type WorkerCommandResult,
  type WorkerMessageResult,
  parseWorkerMessage,
  encodeWorkerMessage,
  parseWorkerCommand,
  encodeCommand,
} from './frames.js';
export { toJsonSchemas, type ProtocolJsonSchemas } from './to-json-schemas.js';
