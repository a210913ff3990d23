/** What a display shows of a detection. */
export interface Sighting {
  readonly detectionId: string;
  readonly camera: string;
  /** Empty if there is none. */
  readonly plate: string;
  /** Brand and model. Empty if neither is known. */
  readonly car: string;
  /** When the worker took the picture, ISO 8601. */
  readonly at: string;
}
