import type { EventEmitter } from 'node:events';
import { Logger, type LoggerService } from '@nestjs/common';
import { escapeControls } from '../shared/escape-controls.js';
import type { DetectorClusterEvents } from './cluster-events.js';

/** The part of Nest's `Logger` that the cluster uses. */
export interface ClusterLogger {
  log(message: string): void;
  warn(message: string): void;
  error(message: string): void;
  debug(message: string): void;
}

type EventName = keyof DetectorClusterEvents;
type Level = 'log' | 'warn' | 'debug';
type Line<Event extends EventName> = readonly [
  level: Level,
  text: (...args: DetectorClusterEvents[Event]) => string,
];

/** One line per event. The compiler checks that no event is missing. */
const LINES: { readonly [Event in EventName]: Line<Event> } = {
  'worker:online': ['log', ({ url }) => `${url} is online`],
  'worker:offline': ['warn', ({ url }) => `${url} is offline`],
  'worker:drained': ['log', ({ url }) => `${url} is drained`],
  'worker:connecting': ['debug', ({ url }) => `${url} is being dialled`],
  'worker:connected': ['log', ({ url }) => `${url} is connected`],
  'worker:disconnected': ['warn', ({ url, reason }) => `${url} is disconnected: ${reason}`],
  'worker:websocket_error': ['warn', ({ url, error }) => `${url} failed: ${error}`],
  'worker:assignments_changed': [
    'log',
    ({ assignments }) =>
      `partitions are owned by ${[...new Set(Object.values(assignments))].sort().join(', ') || 'no process'}`,
  ],
  'worker:state_report': [
    'debug',
    ({ url, report }) =>
      `${url} reports ${report.cameraConnections.length} streams, cpu ${report.cpuUsage ?? '?'} %, memory ${report.memoryUsage ?? '?'} %`,
  ],
  'worker:detection_result': [
    'debug',
    ({ cameraId, detections }) => `${cameraId}: ${detections === 0 ? 'nothing detected' : 'a detection'}`,
  ],
};

/**
 * Writes every event of a `DetectorCluster` to a log of the application. The cluster logs by itself what an operator needs; this is for a
 * separate record, with each report and detection at the level `debug`.
 */
export class WorkerLogger {
  /** @param logger default Nest's, with the context `WorkerLogger` */
  constructor(
    private readonly logger: Pick<LoggerService, 'log' | 'warn' | 'debug'> = new Logger('WorkerLogger'),
  ) {}

  /** Returns a function that detaches it. */
  attachToDetectorCluster(cluster: EventEmitter<DetectorClusterEvents>): () => void {
    const detach = (Object.keys(LINES) as EventName[]).map((event) => this.attach(cluster, event));
    return () => detach.forEach((one) => one());
  }

  private attach(cluster: EventEmitter<DetectorClusterEvents>, event: EventName): () => void {
    const [level, text] = LINES[event] as readonly [Level, (argument: unknown) => string];
    const listener = (argument: unknown) => void this.logger[level]?.(escapeControls(text(argument)));
    cluster.on(event, listener as never);
    return () => void cluster.off(event, listener as never);
  }
}
