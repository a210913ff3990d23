import { type ChainableCommander, type Cluster, Command, Pipeline, Redis } from 'ioredis';

/** Options of every connection of this project: with them, replies have one form under ioredis 5 and 6. */
export const plainSettings = { protocol: 2, replyMapping: 'legacy' } as const;

type Callback = (error: Error | null | undefined, reply?: unknown) => void;
type Encoding = 'utf8' | null;

interface Sender {
  sendCommand(command: Command): unknown;
}

/** Commands that take an object in the place of fields and values. */
const WITH_FIELDS: ReadonlySet<string> = new Set(['hset', 'hmset', 'mset', 'msetnx']);

function flatten(name: string, args: readonly unknown[]): unknown[] {
  const last = args.at(-1);
  const isObject =
    typeof last === 'object' && last !== null && !Array.isArray(last) && !Buffer.isBuffer(last);
  return WITH_FIELDS.has(name) && isObject
    ? [...args.slice(0, -1), ...Object.entries(last).flat()]
    : [...args];
}

function fieldsOf(reply: readonly unknown[]): Record<string, unknown> {
  const pairs: [string, unknown][] = [];
  for (let i = 0; i + 1 < reply.length; i += 2) pairs.push([String(reply[i]), reply[i + 1]]);
  return Object.fromEntries(pairs);
}

const transformReply = Reflect.get(Command.prototype, 'transformReply') as (
  this: { readonly name: string; readonly replyEncoding: Encoding },
  reply: unknown,
) => unknown;

/** A command that the transformers of the application (`Command.setArgumentTransformer`, `setReplyTransformer`) do not change. */
function plainCommand(
  name: string,
  args: readonly unknown[],
  replyEncoding: Encoding,
  callback?: Callback,
): Command {
  // No transformer has an empty name.
  const command = new Command(
    '',
    flatten(name, args) as string[],
    { replyEncoding: replyEncoding! },
    callback,
  );
  command.name = name;
  command.transformReply = (reply) => {
    const decoded = transformReply.call({ name: '', replyEncoding }, reply);
    return (name === 'hgetall' && Array.isArray(decoded) ? fieldsOf(decoded) : decoded) as string[];
  };
  return command;
}

function method(given: string | null, replyEncoding: Encoding) {
  return function (this: Sender, ...args: unknown[]): unknown {
    const callback = typeof args.at(-1) === 'function' ? (args.pop() as Callback) : undefined;
    const name = given ?? String(args.shift());
    return this.sendCommand(plainCommand(name, args, replyEncoding, callback));
  };
}

/** Defines the commands of ioredis for a class again, except those that the class itself defines. */
export function definePlainCommands(target: { readonly prototype: Redis | Cluster | PlainPipeline }): void {
  const base = Object.getPrototypeOf(target.prototype) as object;
  const define = (name: string, value: unknown) => {
    if (!Object.hasOwn(base, name)) Object.defineProperty(target.prototype, name, { value, writable: true });
  };
  for (const name of [...Redis.prototype.getBuiltinCommands(), null]) {
    define(name ?? 'call', method(name, 'utf8'));
    define(`${name ?? 'call'}Buffer`, method(name, null));
  }
}

class PlainPipeline extends Pipeline {}

definePlainCommands(PlainPipeline);

export const pipelineOf = (client: Redis | Cluster) =>
  new PlainPipeline(client) as unknown as ChainableCommander;
