/** The connection by which the store sees that a process lives, as a campaign uses it. */
export interface ProcessPresence {
  /** The store has the connection on its list, as far as this process knows. */
  readonly listening: boolean;
  /** Resolves when it does, after `timeout` ms at the latest, or when `signal` aborts. */
  whenListening(timeout: number, signal: AbortSignal): Promise<void>;
  /** Disappears on purpose, until {@link comeBack}. */
  leave(): void;
  comeBack(): void;
}
