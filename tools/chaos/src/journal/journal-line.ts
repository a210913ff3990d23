/** One call of a callback. */
export interface Delivery {
  /** Process id of whoever called it. */
  readonly process: number;
  readonly detectionId: string;
  readonly subscriptionIdentifier: string;
  readonly workerUrl: string;
  /** The worker's own number, rising per subscription. */
  readonly sequence: number;
  /** When the callback was called, in milliseconds since 1970. */
  readonly at: number;
}

/** As one line. No part contains white space. */
export function formatDelivery(delivery: Delivery): string {
  const { process, detectionId, subscriptionIdentifier, workerUrl, sequence, at } = delivery;
  return `${process} ${detectionId} ${subscriptionIdentifier} ${workerUrl} ${sequence} ${at}\n`;
}

/** @throws Error for a line that {@link formatDelivery} did not write. */
export function parseDelivery(line: string): Delivery {
  const parts = line.split(' ');
  const [process, sequence, at] = [parts[0], parts[4], parts[5]].map(Number) as [number, number, number];
  if (parts.length !== 6 || [process, sequence, at].some(Number.isNaN))
    throw new Error(`not a line of the journal: ${JSON.stringify(line)}`);
  const [, detectionId, subscriptionIdentifier, workerUrl] = parts as [string, string, string, string];
  return { process, detectionId, subscriptionIdentifier, workerUrl, sequence, at };
}
