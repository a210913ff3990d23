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

/** Second argument of a detection callback: enough to recognise a duplicate. */
export interface DetectionMeta {
  /** Stable over retries, re-routing and fail-over. */
  detectionId: string;
  workerUrl: string;
  /** How often this entry was handed to this process before; 0 the first time. */
  attempt: number;
  /** True when the entry may have been processed before, by this process or by one that died. */
  redelivered: boolean;
}

/** May be async: the entry is acknowledged after the returned promise resolves, retried when it rejects. */
export type DetectionCallback = (detection: ImageDetectionResponse, meta: DetectionMeta) => unknown;
