/** One call of a callback. */
export interface Delivery {
  /** Process id of whoever called it. */
  readonly process: number;
  readonly detectionId: string;
  readonly subscriptionIdentifier: string;
  readonly workerUrl: string;
  /** The worker's own number, rising per subscription. */
  readonly sequence: number;
}

/** As one line. No part contains white space. */
export function formatDelivery(delivery: Delivery): string {
  const { process, detectionId, subscriptionIdentifier, workerUrl, sequence } = delivery;
  return `${process} ${detectionId} ${subscriptionIdentifier} ${workerUrl} ${sequence}\n`;
}

/** @throws Error for a line that {@link formatDelivery} did not write. */
export function parseDelivery(line: string): Delivery {
  const match = /^(\d+) (\S+) (\S+) (\S+) (\d+)$/.exec(line);
  if (match === null) throw new Error(`not a line of the journal: ${JSON.stringify(line)}`);
  const [, process, detectionId, subscriptionIdentifier, workerUrl, sequence] = match as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  return {
    process: Number(process),
    detectionId,
    subscriptionIdentifier,
    workerUrl,
    sequence: Number(sequence),
  };
}
