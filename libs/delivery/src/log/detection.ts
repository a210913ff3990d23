/** Fields that the reference pipeline reports; others are passed through untouched. */
export interface Detection {
  carModel?: string | null;
  carBrand?: string | null;
  carYear?: number | null;
  bodyType?: string | null;
  licensePlateText?: string | null;
  licensePlateType?: string | null;
  licensePlateConfidence?: number | null;
  [key: string]: unknown;
}

/** What a detection callback receives. */
export interface ImageDetectionResponse {
  subscriptionIdentifier: string;
  timestamp: Date;
  data: {
    /** Null when the worker looked and found nothing. */
    detection: Detection | null;
    modelId: number;
    modelName: string;
  };
}

/** Second argument of a detection callback. */
export interface DetectionMeta {
  /** The same for every attempt, copy, redelivery and replay of a detection: recognise duplicates by it. */
  detectionId: string;
  workerUrl: string;
  /** When the master received the frame, by its clock: milliseconds since 1970, NaN where that is not readable. */
  receivedAt: number;
  /** How often this entry was handed to this process before; 0 the first time. */
  attempt: number;
  /** True when the detection may have been processed before, by this process or by another one. */
  redelivered: boolean;
  /**
   * Aborts when this process may no longer work on the detection: another process owns it, or this one shuts down and its
   * deadline is over. The next owner gets the detection again. A callback that takes long should stop then.
   */
  signal: AbortSignal;
}

/** May be async: the entry is acknowledged after the returned promise resolves, retried when it rejects. */
export type DetectionCallback = (detection: ImageDetectionResponse, meta: DetectionMeta) => unknown;
