// A Nest application that does leader work until it is asked to end: node leader-child.mjs <plan as JSON>, see leader-process.ts.
// What happens is appended to a list in Redis. Uses the built library: run "npm run build" first.
import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import {
  MasterElection,
  MasterElectionModule,
  MasterInterval,
  OnMasterAcquired,
} from '../../libs/master-election/dist/index.js';

const {
  name,
  redis,
  election,
  journal,
  jobs = [],
  once,
  windDown = 0,
  hooks = false,
} = JSON.parse(process.argv[2]);

const connection = new Redis(redis, { connectionName: name, autoResendUnfulfilledCommands: false });
const note = (event, more = {}) =>
  connection.rpush(journal, JSON.stringify({ name, event, at: Date.now(), ...more }));
/** A process that was frozen may find that the signal has aborted before it listens. */
const aborted = (signal) =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', resolve, { once: true });
  });

/** Works until the lease aborts, and then takes `windDown` ms to end. */
async function workUntilAborted(kind, lease, windDown) {
  await aborted(lease.signal);
  await note(`${kind} aborted`);
  await sleep(windDown);
  await note(`${kind} ended`);
}

class Work {
  async acquired(lease) {
    await note('acquired', { term: lease.term });
    await workUntilAborted('work', lease, windDown);
  }

  async onApplicationShutdown() {
    await note('shut down');
    connection.disconnect();
  }
}
const decorate = (decorator, method) =>
  decorator(Work.prototype, method, Object.getOwnPropertyDescriptor(Work.prototype, method));
decorate(OnMasterAcquired(), 'acquired');
for (const { period, duration, ...options } of jobs) {
  const method = `job ${options.name}`;
  Object.defineProperty(Work.prototype, method, {
    configurable: true,
    value: async (lease, { job, scheduledAt, late }) => {
      await note('started', { job, tick: scheduledAt, late, term: lease.term });
      if (duration === 'endless') await workUntilAborted('job', lease, 2 * windDown);
    },
  });
  decorate(MasterInterval(period, options), method);
}
Injectable()(Work);

class App {}
Module({
  imports: [MasterElectionModule.forRoot({ ...election, redis: { ...parse(redis), connectionName: name } })],
  providers: [Work],
})(App);

const app = await NestFactory.createApplicationContext(App, { logger: ['warn', 'error'] });
if (hooks) app.enableShutdownHooks();
else process.once('SIGTERM', () => void app.close());
process.on('disconnect', () => process.exit(1));
process.channel?.unref();

if (once) {
  const run = async ({ signal, term }) => {
    await note('once begun', { term });
    const ended = await Promise.race([sleep(once.duration, 'done'), aborted(signal)]);
    if (ended === 'done') return;
    await note('once aborted');
    signal.throwIfAborted();
  };
  const ran = await app.get(MasterElection, { strict: false }).runOnce(once.key, run, once.options);
  await note('once resolved', { ran });
}

function parse(url) {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}
