// A reader of the bare loop: reads its stream in batches, parses each message and deletes what it has read. Nothing survives a fault.
import { Redis } from 'ioredis';
import { childArgument, serveCalls } from '../support/child-calls.js';
import { cpuTime } from '../support/process-figures.js';
import { DetectionSink, detectionOf } from './detection-sink.js';

/** Arguments of a reader, which reads one stream. */
export interface BareReaderArguments {
  readonly redis: string;
  readonly stream: string;
}

type Reply = [stream: string, entries: [id: string, fields: string[]][]][];

const BATCH = 512;

const { redis: url, stream } = childArgument<BareReaderArguments>();
const reader = new Redis(url);
const redis = new Redis(url);
const sink = new DetectionSink();

async function read(): Promise<never> {
  for (let last = '0'; ;) {
    const reply = await reader.xread('COUNT', BATCH, 'BLOCK', 1_000, 'STREAMS', stream, last);
    const [, entries] = (reply as Reply | null)?.[0] ?? [stream, []];
    if (entries.length === 0) continue;
    for (const [, fields] of entries) {
      for (const message of fields[1]!.split('\n')) sink.take(detectionOf(JSON.parse(message)));
    }
    const ids = entries.map(([id]) => id);
    last = ids.at(-1)!;
    void redis.xdel(stream, ...ids);
  }
}

const calls = { ...sink.calls, cpu: cpuTime };
export type BareReaderCalls = typeof calls;

serveCalls(calls);
await read();
