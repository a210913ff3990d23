/** One message of a client to its server. */
export interface Frame {
  /** Bytes, from its first to its last. */
  readonly length: number;
  /** Whether it asks something of the server: others open the connection, acknowledge, or belong to such a one. */
  readonly counts: boolean;
}

/** The message that begins with the first of these bytes, which may end beyond them; `undefined` until so much is known. */
export type Framing = (bytes: Buffer) => Frame | undefined;
