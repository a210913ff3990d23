// What Nest brings along: socket → ClientRedis.emit → @EventPattern, over Redis pub/sub. What a subscriber misses is gone.
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  ClientRedis,
  EventPattern,
  Payload,
  Transport,
  type MicroserviceOptions,
} from '@nestjs/microservices';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { WebSocket } from 'ws';
import { childArguments, tell } from './bench-child.js';
import { DetectionSink } from './detection-sink.js';

const { role, redis, prefix, port } = childArguments();
const pattern = `${prefix}detection`;
const address = { host: new URL(redis).hostname, port: Number(new URL(redis).port) };
const sink = new DetectionSink();

interface DetectionMessage {
  readonly data?: { readonly detection: { readonly sentAt: number } };
}

@Controller()
class DetectionController {
  @EventPattern(pattern)
  take(@Payload() { data }: DetectionMessage): void {
    sink.take(data!.detection.sentAt);
  }
}

@Module({ controllers: [DetectionController] })
class ConsumerModule {}

async function master(): Promise<void> {
  const client = new ClientRedis(address);
  await client.connect();
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  socket.on('message', (frame: Buffer) => void client.emit(pattern, JSON.parse(frame.toString())));
  await new Promise((resolve) => socket.once('open', resolve));
  tell({ type: 'ready' });
}

async function consumer(): Promise<void> {
  const options: MicroserviceOptions = { transport: Transport.REDIS, options: address };
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(ConsumerModule, {
    ...options,
    logger: false,
  });
  await app.listen();
  // The transport does not wait until it is subscribed.
  const probe = new Redis(redis);
  while (Number((await probe.pubsub('NUMSUB', pattern))[1]) === 0) await sleep(10);
  probe.disconnect();
  tell({ type: 'ready' });
}

process.on('disconnect', () => process.exit());
await (role === 'master' ? master() : consumer());
