import type { WorkerCommand, WorkerCommandType } from '../commands/worker-command.js';
import type { WorkerMessage, WorkerMessageType } from '../messages/worker-message.js';

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
  { readonly ok: true; readonly message: WorkerMessage } | ParseFailure<WorkerMessageType>;

export type WorkerCommandResult =
  { readonly ok: true; readonly command: WorkerCommand } | ParseFailure<WorkerCommandType>;
