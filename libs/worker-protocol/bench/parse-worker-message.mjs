// Detections per second that one thread parses, beside a bare JSON.parse and the schema alone.
// npm run build && node libs/worker-protocol/bench/parse-worker-message.mjs
import { encodeWorkerMessage, parseWorkerMessage, workerMessageSchemas } from '../dist/index.js';

const frame = Buffer.from(
  encodeWorkerMessage({
    type: 'imageDetection',
    subscriptionIdentifier: 'display-7;gate-2',
    timestamp: '2025-07-13T12:34:56.789Z',
    data: {
      detection: {
        carBrand: 'Honda',
        carModel: 'CR-V',
        carYear: 2021,
        bodyType: 'SUV',
        licensePlateText: 'ABC1234',
        licensePlateConfidence: 0.91,
        sequence: 12345,
        workerName: 'worker-1',
        streamId: '0b7f6f0e-6d3f-4c9e-9a0e-0e5c8f1a2b3c',
      },
      modelId: 12,
      modelName: 'plates',
    },
  }),
);

const ROUNDS = 7;
const CALLS = 100_000;
const candidates = {
  bare: () => JSON.parse(frame.toString()),
  schema: () => workerMessageSchemas.imageDetection.parse(JSON.parse(frame.toString())),
  parser: () => parseWorkerMessage(frame),
};
const best = { bare: 0, schema: 0, parser: 0 };
for (let round = 0; round < ROUNDS; round++)
  for (const [name, run] of Object.entries(candidates)) {
    const start = performance.now();
    for (let i = 0; i < CALLS; i++) run();
    best[name] = Math.max(best[name], Math.round((CALLS / (performance.now() - start)) * 1000));
  }
console.log(
  JSON.stringify({
    bench: 'parse-worker-message',
    bytes: frame.length,
    perSecond: best.parser,
    schemaPerSecond: best.schema,
    barePerSecond: best.bare,
    ratio: Number((best.parser / best.bare).toFixed(2)),
  }),
);
