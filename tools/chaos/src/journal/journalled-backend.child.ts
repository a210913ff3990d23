// The reference service with one more listener, which writes a line into a journal at the start of every callback. Each line is
// one system call, so the journal also holds what happened right before a process was killed. With JOURNAL_ACCEPTED the master
// writes a line for each detection that it calls accepted.
import { createApp, readConfig } from '@detector-cluster/cms-backend';
import { DetectorCluster, MasterSlaveWorkerCluster } from '@detector-cluster/detector-cluster';
import { openSync, writeSync } from 'node:fs';
import { AcceptanceTracer } from './acceptance-tracer.js';
import { formatAccepted, formatDelivery, formatStall } from './journal-line.js';
import { watchStalls } from './stall-watch.js';

const config = readConfig(process.env);
const app = await createApp(config);
const journal = openSync(process.env.JOURNAL!, 'a');
app
  .get(DetectorCluster, { strict: false })
  .addGlobalDetectionListener(({ subscriptionIdentifier, data }, { detectionId, workerUrl }) => {
    const startedAt = process.hrtime.bigint();
    const line = formatDelivery({
      process: process.pid,
      detectionId,
      subscriptionIdentifier,
      workerUrl,
      sequence: data.detection!.sequence as number,
      at: Date.now(),
      startedAt,
    });
    writeSync(journal, line);
  });
if (process.env.JOURNAL_ACCEPTED === 'on')
  app.get(MasterSlaveWorkerCluster, { strict: false }).tracing.current = new AcceptanceTracer(
    (detectionId) => {
      writeSync(journal, formatAccepted({ process: process.pid, detectionId }));
    },
  );
watchStalls((stall) => void writeSync(journal, formatStall(stall)));
app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
await app.listen(config.http.port, config.http.host);
