import { z } from 'zod';
import type { WorkerDirective } from '../worker-directive.js';

const schema = z.object({
  standing: z.enum(['cordoned', 'draining']),
  since: z.iso.datetime({ offset: true }),
});

/** Parses a field of the hash; null when this process does not understand it. Never throws. */
export function readDirective(text: string): WorkerDirective | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
