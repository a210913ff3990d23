// The reference service, with one more listener: it writes down every call of its callback, each with one system call, so that
// the journal says what happened also in a process that was killed in the next instant.
import { createApp, readConfig } from '@detector-cluster/cms-backend';
import { DetectorCluster } from '@detector-cluster/detector-cluster';
import { openSync, writeSync } from 'node:fs';
import { formatDelivery } from './journal-line.js';

const config = readConfig(process.env);
const app = await createApp(config);
const journal = openSync(process.env.JOURNAL!, 'a');
app
  .get(DetectorCluster, { strict: false })
  .addGlobalDetectionListener(({ subscriptionIdentifier, data }, { detectionId, workerUrl }) => {
    const sequence = data.detection!.sequence as number;
    const line = formatDelivery({
      process: process.pid,
      detectionId,
      subscriptionIdentifier,
      workerUrl,
      sequence,
      at: Date.now(),
    });
    writeSync(journal, line);
  });
app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
await app.listen(config.http.port, config.http.host);
