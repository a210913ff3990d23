// The least that can be done: socket → XADD → XREADGROUP → XACK. No validation, no bounds, nothing survives a fault.
import { Redis } from 'ioredis';
import { WebSocket } from 'ws';
import { childArguments, tell } from './bench-child.js';
import { DetectionSink } from './detection-sink.js';

const { role, redis: url, prefix, port } = childArguments();
const redis = new Redis(url);
const stream = `${prefix}raw`;

async function master(): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  socket.on('message', (frame: Buffer) => void redis.xadd(stream, '*', 'data', frame));
  await new Promise((resolve) => socket.once('open', resolve));
  tell({ type: 'ready' });
}

async function consumer(): Promise<void> {
  const sink = new DetectionSink();
  const reader = new Redis(url);
  await redis.xgroup('CREATE', stream, 'group', '0', 'MKSTREAM');
  tell({ type: 'ready' });
  for (;;) {
    const reply = (await reader.xreadgroup(
      ...(['GROUP', 'group', 'consumer', 'COUNT', 256, 'BLOCK', 1_000, 'STREAMS', stream, '>'] as const),
    )) as [string, [string, string[]][]][] | null;
    const entries = reply?.[0]?.[1] ?? [];
    for (const [, fields] of entries) sink.take(JSON.parse(fields[1]!).data.detection.sentAt as number);
    if (entries.length > 0) void redis.xack(stream, 'group', ...entries.map(([id]) => id));
  }
}

process.on('disconnect', () => process.exit());
await (role === 'master' ? master() : consumer());
