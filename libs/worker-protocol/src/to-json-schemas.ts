import { z } from 'zod';
import { workerCommandSchemas } from './commands/worker-command.js';
import { workerMessageSchemas } from './messages/worker-message.js';

type JsonSchema = z.core.JSONSchema.BaseSchema;

export interface ProtocolJsonSchemas {
  /** Master to worker, by `type`. */
  readonly commands: Readonly<Record<keyof typeof workerCommandSchemas, JsonSchema>>;
  /** Worker to master, by `type`. */
  readonly messages: Readonly<Record<keyof typeof workerMessageSchemas, JsonSchema>>;
}

const convert = <K extends string>(schemas: Record<K, z.ZodType>) =>
  Object.fromEntries(
    Object.entries<z.ZodType>(schemas).map(([type, schema]) => [type, z.toJSONSchema(schema) as JsonSchema]),
  ) as Record<K, JsonSchema>;

/** Every message of the protocol as JSON Schema (draft 2020-12), for implementations in other languages. */
export function toJsonSchemas(): ProtocolJsonSchemas {
  return { commands: convert(workerCommandSchemas), messages: convert(workerMessageSchemas) };
}
