// The reference service with one more listener, which writes a line into a history at the start of every callback. Each line is
// one system call, so the history also holds what happened right before a process was killed. It also has the writes through the fence, and
// which worker holds which subscription.
// With JOURNAL_ACCEPTED the master writes a line for each detection that it calls accepted.
import { createApp, readConfig } from '@detector-cluster/cms-backend';
import {
  type ActualCameraSubscription,
  DetectorCluster,
  MasterSlaveWorkerCluster,
} from '@detector-cluster/detector-cluster';
import type { DetectionTracer } from '@detector-cluster/detector-cluster/tracing';
import { processorWait } from '@detector-cluster/dev-services';
import { FencedError, FencedStore, type GuardedCommand } from '@detector-cluster/election/fence';
import type { Held, HistoryLine } from '@detector-cluster/history';
import { openSync, writeSync } from 'node:fs';

const STALL_LOOK = 100;
/** Milliseconds. */
const MIN_STALL = 100;

const history = openSync(process.env.HISTORY!, 'a');
const { pid } = process;
const write = (line: HistoryLine): void => void writeSync(history, `${JSON.stringify(line)}\n`);
const clock = () => Number(process.hrtime.bigint());
write({ process: { pid, name: process.env.IDENTIFIER!, at: Date.now() } });

/** Subscription → the worker that the master of `ofTerm` takes its detections from. */
const holders = new Map<string, string>();
let ofTerm = 0;

/** The subscriptions that the master has given to another worker. */
function heldIn([name, key, ...fields]: GuardedCommand, term: number): Held[] {
  if (name !== 'HSET' || !String(key).endsWith('worker:actual_subscriptions')) return [];
  if (term !== ofTerm) holders.clear();
  ofTerm = term;
  return fields.flatMap((text, i) => {
    if (i % 2 === 0) return [];
    const { assignedWorkerUrl, holder, subscriptionIdentifier } = JSON.parse(
      String(text),
    ) as ActualCameraSubscription;
    const workerUrl = holder || assignedWorkerUrl;
    if (holders.get(subscriptionIdentifier) === workerUrl) return [];
    holders.set(subscriptionIdentifier, workerUrl);
    return [{ subscriptionIdentifier, workerUrl, at: Date.now() }];
  });
}

const { write: writeFenced } = FencedStore.prototype;
FencedStore.prototype.write = async function (commands) {
  const from = clock();
  const note = (accepted: boolean) =>
    write({ fenced: { process: pid, term: this.term, accepted, from, to: clock(), at: Date.now() } });
  try {
    const replies = await writeFenced.call(this, commands);
    note(true);
    for (const held of commands.flatMap((command) => heldIn(command, this.term))) write({ held });
    return replies;
  } catch (error) {
    // Of others the outcome is not known.
    if (error instanceof FencedError) note(false);
    throw error;
  }
};

const config = readConfig(process.env);
const app = await createApp(config);

app
  .get(DetectorCluster, { strict: false })
  .addGlobalDetectionListener(({ subscriptionIdentifier, timestamp, data }, { detectionId, workerUrl }) => {
    const startedAt = clock();
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
      if (outcome === 'accepted') write({ accepted: { id: detectionId, at: Date.now() } });
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
