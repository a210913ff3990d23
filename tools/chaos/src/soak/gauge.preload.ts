// Loaded into a process before its program. Again and again it writes into a file what the process holds after a collection of garbage.
import { EventEmitter, getEventListeners } from 'node:events';
import { appendFileSync, readdirSync, readlinkSync } from 'node:fs';
import { Session } from 'node:inspector';
import { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Gauge } from './gauges.js';

const { GAUGES = '', GAUGE_EVERY = '', IDENTIFIER, HOST_NAME } = process.env;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const ended = setTimeout(() => undefined, 0);
clearTimeout(ended);
const timers = Object.getPrototypeOf(ended) as object;

/** V8 finds all objects with a given prototype. What is counted has one in common, because that takes long. */
class Counted {}
for (const prototype of [timers, EventEmitter.prototype, EventTarget.prototype])
  Object.setPrototypeOf(prototype, Counted.prototype);

/** A timer that will run. One that has run, or was cleared, may still be referred to. */
const isPending = (object: object): boolean =>
  Object.getPrototypeOf(object) === timers && Reflect.get(object, '_destroyed') === false;

function listenersOf(object: object): number {
  if (object instanceof AbortSignal) return getEventListeners(object, 'abort').length;
  if (!(object instanceof EventEmitter)) return 0;
  const { eventNames, listenerCount } = EventEmitter.prototype;
  return eventNames.call(object).reduce((sum, name) => sum + listenerCount.call(object, name), 0);
}

/** A socket, or what has one: a connection of a library, a request, a response. */
const isConnection = (object: object): boolean =>
  object instanceof Socket ||
  Object.values(Object.getOwnPropertyDescriptors(object)).some(({ value }) => value instanceof Socket);

/** Connections come and go with the load. They are counted as sockets, so of their listeners only the most of one are. */
function count(objects: readonly object[]): { timers: number; listeners: number } {
  let [listeners, mostOfConnection] = [0, 0];
  for (const object of objects)
    if (isConnection(object)) mostOfConnection = Math.max(mostOfConnection, listenersOf(object));
    else listeners += listenersOf(object);
  return { timers: objects.filter(isPending).length, listeners: listeners + mostOfConnection };
}

const session = new Session();
session.connect();
/** The inspector reaches these by name. */
Object.assign(globalThis, { gauge: { prototype: Counted.prototype, count } });

/** The inspector of a thread answers its own session before the call returns. */
function ask<T>(method: string, params: object): T {
  let answer: unknown;
  session.post(method, params, (error, result) => {
    if (error) throw new Error(`${method}: ${error.message}`);
    answer = result;
  });
  return answer as T;
}

function countAll(): ReturnType<typeof count> {
  const objectGroup = 'gauge';
  const { result } = ask<{ result: { objectId: string } }>('Runtime.evaluate', {
    expression: 'gauge.prototype',
    objectGroup,
  });
  const { objects } = ask<{ objects: { objectId: string } }>('Runtime.queryObjects', {
    prototypeObjectId: result.objectId,
    objectGroup,
  });
  const { result: counted, exceptionDetails } = ask<{
    result: { value: ReturnType<typeof count> };
    exceptionDetails?: object;
  }>('Runtime.callFunctionOn', {
    objectId: objects.objectId,
    functionDeclaration: 'function () { return gauge.count(this); }',
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(`counting failed: ${JSON.stringify(exceptionDetails)}`);
  ask('Runtime.releaseObjectGroup', { objectGroup });
  return counted.value;
}

/** 0 on systems without `/proc`. */
function sockets(): number {
  try {
    return readdirSync('/proc/self/fd').filter((fd) => targetOf(fd).startsWith('socket:')).length;
  } catch {
    return 0;
  }
}

function targetOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    // It was that of the folder itself.
    return '';
  }
}

/** Blocks the process for about 200 ms. */
function measure(): void {
  const counts = countAll();
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  const gauge: Gauge = {
    process: IDENTIFIER ?? HOST_NAME ?? '',
    at: Date.now(),
    heap: heapUsed + external,
    resident: rss,
    sockets: sockets(),
    ...counts,
  };
  appendFileSync(GAUGES, `${JSON.stringify(gauge)}\n`);
}

const every = Number(GAUGE_EVERY);

/** The pause follows the measurement, because two samples close to each other make a steep slope of little noise. */
function measureAfter(pause: number): void {
  setTimeout(() => {
    measure();
    measureAfter(every);
  }, pause).unref();
}

// Processes that start together do not stop together.
measureAfter(Math.random() * every);
