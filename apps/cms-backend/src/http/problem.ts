import { z } from 'zod';

/** One thing that is wrong with a request, and where. */
export const problemIssueSchema = z
  .object({
    pointer: z.string().optional().meta({ description: 'JSON pointer into the body, as a URI fragment' }),
    parameter: z
      .string()
      .optional()
      .meta({ description: 'Name of the path or query parameter or of the header' }),
    detail: z.string(),
  })
  .meta({ id: 'ProblemIssue' });

/** Entries that refer to the one that a request would remove. */
export const usersSchema = z
  .object({
    total: z.int(),
    items: z
      .array(z.object({ kind: z.enum(['display', 'playlist']), key: z.string() }))
      .meta({ description: 'The first of them' }),
  })
  .meta({ id: 'Users' });

export type Users = z.infer<typeof usersSchema>;

/** RFC 9457 problem details, with the members this service adds. */
export const problemSchema = z
  .object({
    type: z.string().meta({
      description: 'Stable name of the kind of problem',
      examples: ['urn:cms-backend:problem:validation'],
    }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().meta({ description: 'Path of the request' }),
    reason: z.string().optional().meta({ description: 'Which dependency is unavailable, and why' }),
    code: z
      .string()
      .optional()
      .meta({ description: 'Stable name of the error', examples: ['NO_MASTER'] }),
    errors: z.array(problemIssueSchema).optional(),
    usedBy: usersSchema.optional(),
  })
  .meta({ id: 'Problem', description: 'Problem details (RFC 9457)' });

export type ProblemIssue = z.infer<typeof problemIssueSchema>;
export type Problem = z.infer<typeof problemSchema>;

export const PROBLEM_CONTENT_TYPE = 'application/problem+json';
