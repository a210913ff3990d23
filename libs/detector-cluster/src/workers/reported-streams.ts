import type { StateReportMessage } from '@detector-cluster/worker-protocol';
import type { ReportedStream } from '@detector-cluster/placement/internal';
import { escapeControls } from '../shared/escape-controls.js';

/** What a report changed. */
export interface StreamChanges {
  /** Streams that the worker reports otherwise than before. */
  readonly changed: readonly string[];
  /** Streams that the report before showed with a picture, and this one does not. */
  readonly offline: readonly string[];
  /** When the report before came. Wall clock, milliseconds; 0 if there was none. */
  readonly before: number;
}

/** The streams in the last state report of one worker. */
export class ReportedStreams {
  private streams: ReadonlyMap<string, ReportedStream> = new Map();
  /** Null until {@link ids} is read. */
  private sorted: readonly string[] | null = null;
  private list: StateReportMessage['cameraConnections'] | null = null;
  private listAt = 0;

  /** By subscription; a new map whenever a report changes a stream. */
  get byId(): ReadonlyMap<string, ReportedStream> {
    return this.streams;
  }

  /** Sorted and frozen; the same array while the streams are the same. */
  get ids(): readonly string[] {
    return (this.sorted ??= Object.freeze([...this.streams.keys()].sort()));
  }

  /** When the last report showed the stream with a picture. Wall clock, milliseconds; null if it did not. */
  seenAt(subscriptionIdentifier: string): number | null {
    return this.streams.get(subscriptionIdentifier)?.online === true ? this.listAt : null;
  }

  note({ cameraConnections: list }: StateReportMessage): StreamChanges {
    const before = this.listAt;
    this.listAt = Date.now();
    // The reader hands out the same list again while its bytes are the same.
    if (this.list === list) return { changed: [], offline: [], before };
    this.list = list;
    const streams = streamsOf(list);
    const offline = [...this.streams].flatMap(([id, { online }]) =>
      online && streams.get(id)?.online !== true ? [id] : [],
    );
    const changed = changesBetween(this.streams, streams);
    if (changed.length > 0) {
      this.streams = streams;
      this.sorted = null;
    }
    return { changed, offline, before };
  }
}

function streamsOf(list: StateReportMessage['cameraConnections']): Map<string, ReportedStream> {
  return new Map(
    list.map(({ subscriptionIdentifier, online, modelId, fingerprint, modelState, reason }) => [
      subscriptionIdentifier,
      {
        online,
        modelId: modelId ?? null,
        fingerprint: fingerprint ?? null,
        ...(modelState === 'loading' && { modelState }),
        ...(modelState === 'failed' && { modelState, problem: shown(reason ?? '') }),
      },
    ]),
  );
}

/** Characters of a reason. */
const MAX_REASON_LENGTH = 200;

/** A reason of a worker as text that may stand anywhere. */
function shown(reason: string): string {
  // No more than that is escaped: a report may have 1 MiB.
  const text = escapeControls(reason.slice(0, MAX_REASON_LENGTH));
  if (reason.length <= MAX_REASON_LENGTH && text.length <= MAX_REASON_LENGTH) return text;
  // No half of a surrogate pair.
  return `${text.slice(0, MAX_REASON_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function changesBetween(
  before: ReadonlyMap<string, ReportedStream>,
  now: ReadonlyMap<string, ReportedStream>,
): string[] {
  const changed = [...before.keys()].filter((id) => !now.has(id));
  for (const [id, stream] of now) {
    const other = before.get(id);
    if (
      other?.online !== stream.online ||
      other.modelId !== stream.modelId ||
      other.fingerprint !== stream.fingerprint ||
      other.modelState !== stream.modelState ||
      other.problem !== stream.problem
    )
      changed.push(id);
  }
  return changed;
}
