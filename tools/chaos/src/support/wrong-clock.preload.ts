// Loaded into a backend before its program. Its wall clock is wrong as a file says that the scenario writes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClockError } from './wrong-clocks.js';

const file = join(process.env.CLOCKS!, process.env.IDENTIFIER!);
const RealDate = Date;
let error: ClockError = { ahead: 0, gains: 0, since: 0 };

const now = (): number => {
  const { ahead, gains, since } = error;
  return RealDate.now() + Math.round(ahead + gains * Math.max(0, RealDate.now() - since));
};

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[], self: new () => object) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, self) as Date,
  apply: () => new RealDate(now()).toString(),
  get: (target, name, self) => (name === 'now' ? now : (Reflect.get(target, name, self) as unknown)),
});

setInterval(() => {
  try {
    error = JSON.parse(readFileSync(file, 'utf8')) as ClockError;
  } catch {
    // The scenario has written nothing yet.
  }
}, 20).unref();
