export default async function globalTeardown({ watch, watchAll }) {
  // The next run uses them again; they end with this process.
  if (watch || watchAll) return;
  await Promise.all((globalThis.detectorClusterServers ?? []).map((server) => server.stop()));
}
