import { z } from 'zod';
import type { WorkerDirective } from '../worker-directive.js';

const schema = z.object({
  standing: z.enum(['cordoned', 'draining']),
  since: z.iso.datetime({ offset: true }),
});

/** A field of the hash; null when it is none that this process understands. Never throws. */
export function readDirective(text: string): WorkerDirective | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
