// The reference service with all features that hold a connection to Redis and that no request starts: runOnce work that
// runs until the process ends, its own camera, and a listener for a camera of another process.
import { createApp, readConfig } from '@detector-cluster/cms-backend';
import { DetectorCluster } from '@detector-cluster/detector-cluster';
import { MasterElection } from '@detector-cluster/master-election';
import { once } from 'node:events';

const noop = () => undefined;
const config = readConfig(process.env);
const app = await createApp(config);
app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
await app.listen(config.http.port, config.http.host);

if (process.env.EQUIPPED === 'on') {
  const election = app.get(MasterElection, { strict: false });
  election.runOnce('bench', ({ signal }) => once(signal, 'abort')).catch(() => undefined);
  const cluster = app.get(DetectorCluster, { strict: false });
  const { IDENTIFIER } = process.env;
  await cluster.subscribeToCamera(`bench;${IDENTIFIER}`, 'rtsp://camera', 'http://models/1', 1, 'cars', noop);
  await cluster.addDetectionListener('bench;backend-1', noop);
}
