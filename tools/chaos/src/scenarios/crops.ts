/** Edges in pixels; without edges: the whole frame. */
export interface Crop {
  readonly cropX1?: number | null | undefined;
  readonly cropY1?: number | null | undefined;
  readonly cropX2?: number | null | undefined;
  readonly cropY2?: number | null | undefined;
}

/** The same text for the same crop. */
export function describeCrop({ cropX1, cropY1, cropX2, cropY2 }: Crop): string {
  return [cropX1, cropY1, cropX2, cropY2].map((edge) => edge ?? '-').join(' ');
}

/** A subscription that a worker runs. */
export interface RunningCrop {
  readonly subscriptionIdentifier: string;
  readonly crop: string;
}

/**
 * The subscriptions that do not run exactly once with the desired crop, including those that do not run and those that are
 * not desired.
 * @param desired subscription → crop
 * @param running the subscriptions of all workers
 */
export function wrongCrops(desired: ReadonlyMap<string, string>, running: Iterable<RunningCrop>): string[] {
  const found = new Map<string, string[]>(Array.from(desired.keys(), (id) => [id, []]));
  for (const { subscriptionIdentifier: id, crop } of running) found.set(id, [...(found.get(id) ?? []), crop]);
  return [...found].flatMap(([id, crops]) =>
    crops.length === 1 && crops[0] === desired.get(id) ? [] : [id],
  );
}
