export default async function globalTeardown() {
  await Promise.all((globalThis.detectorClusterServers ?? []).map((server) => server.stop()));
}
