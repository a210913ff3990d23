/** Waits for all starts. If one fails, it stops the others and throws the failure. */
export async function startAll<Service extends { stop(): Promise<unknown> }>(
  starts: readonly Promise<Service>[],
): Promise<Service[]> {
  const results = await Promise.allSettled(starts);
  const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = results.find((result) => result.status === 'rejected');
  if (!failed) return started;
  await Promise.all(started.map((service) => service.stop()));
  throw failed.reason;
}
