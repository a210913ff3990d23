import { z } from 'zod';
import { workerCommandSchemas } from './worker-command.js';
import { workerMessageSchemas } from './worker-message.js';

type JsonSchema = z.core.JSONSchema.BaseSchema;

export interface ProtocolJsonSchemas {
  /** Master to worker, by `type`. */
  readonly commands: Readonly<Record<keyof typeof workerCommandSchemas, JsonSchema>>;
  /** Worker to master, by `type`. */
  readonly messages: Readonly<Record<keyof typeof workerMessageSchemas, JsonSchema>>;
}

function convert(type: string, schema: z.ZodType): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12' });
  return { $schema, $id: `urn:detector-cluster:worker-protocol:${type}`, title: type, ...rest };
}

const convertAll = <K extends string>(schemas: Record<K, z.ZodType>) =>
  Object.fromEntries(
    Object.entries<z.ZodType>(schemas).map(([type, schema]) => [type, convert(type, schema)]),
  ) as Record<K, JsonSchema>;

/**
 * Returns every message of the protocol as JSON Schema (draft 2020-12), for implementations in other languages. The package
 * has the same schemas in `schemas/commands/<type>.schema.json` and `schemas/messages/<type>.schema.json`.
 */
export function toJsonSchemas(): ProtocolJsonSchemas {
  return { commands: convertAll(workerCommandSchemas), messages: convertAll(workerMessageSchemas) };
}
