// The reference service with one more listener, which writes a line into a journal at the start of every callback. Each line is
// one system call, so the journal also holds what happened right before a process was killed. With JOURNAL_ACCEPTED the master
// writes a line for each detection that it calls accepted.
import { createApp, readConfig } from '@detector-cluster/cms-backend';
import { DetectorCluster, MasterSlaveWorkerCluster } from '@detector-cluster/detector-cluster';
import type { DetectionTracer } from '@detector-cluster/detector-cluster/tracing';
import { processorWait } from '@detector-cluster/dev-services';
import { openSync, writeSync } from 'node:fs';
import type { JournalLine } from './journal.js';

const STALL_LOOK = 100;
/** Milliseconds. */
const MIN_STALL = 100;

const config = readConfig(process.env);
const app = await createApp(config);
const journal = openSync(process.env.JOURNAL!, 'a');
const { pid } = process;
const write = (line: JournalLine): void => void writeSync(journal, `${JSON.stringify(line)}\n`);

app
  .get(DetectorCluster, { strict: false })
  .addGlobalDetectionListener(({ subscriptionIdentifier, timestamp, data }, { detectionId, workerUrl }) => {
    const startedAt = Number(process.hrtime.bigint());
    const sequence = data.detection!.sequence as number;
    const at = Date.now();
    const takenAt = timestamp.getTime();
    const delivery = { process: pid, detectionId, subscriptionIdentifier, workerUrl, sequence };
    write({ delivery: { ...delivery, takenAt, at, startedAt } });
  });

/** Writes down each detection that its master calls accepted. Traces nothing. */
const tracer: DetectionTracer = {
  received: () => ({ context: undefined, end: () => undefined }),
  resumed: () => undefined,
  sending: ({ detectionId }) => ({
    fields: null,
    end: (outcome) => {
      if (outcome === 'accepted') write({ accepted: detectionId });
    },
  }),
  processing: () => ({
    run: (callbacks) => callbacks(),
    failed: () => undefined,
    end: () => undefined,
  }),
};
if (process.env.JOURNAL_ACCEPTED === 'on')
  app.get(MasterSlaveWorkerCluster, { strict: false }).tracing.current = tracer;

/** Writes down when the event loop was blocked, and how long it had no processor: a slow machine, or a slow program. */
const now = () => ({ at: performance.now(), waited: processorWait('self') ?? 0 });
let last = now();
setInterval(() => {
  const current = now();
  const ms = Math.round(current.at - last.at - STALL_LOOK);
  const waited = Math.round(current.waited - last.waited);
  if (ms > MIN_STALL) write({ stall: { process: pid, at: Date.now(), ms, waited } });
  last = current;
}, STALL_LOOK).unref();

app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
await app.listen(config.http.port, config.http.host);
