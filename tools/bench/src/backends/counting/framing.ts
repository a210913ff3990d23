/** One message of a client to its server. */
export interface Frame {
  /** Total number of bytes. */
  readonly length: number;
  /** Whether it is a request. Other messages open the connection, acknowledge, or belong to a request. */
  readonly counts: boolean;
}

/** Reads the message at the start of the bytes. It may end beyond them. Returns `undefined` if more bytes are needed. */
export type Framing = (bytes: Buffer) => Frame | undefined;
