import { NetworkPolicy } from '@detector-cluster/detector-cluster';
import { z } from 'zod';

/** ALLOWED_NETWORKS: networks, addresses and host names with commas between them. */
export const networksVariable = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  )
  .superRefine((entries, context) => {
    const problems: string[] = [];
    NetworkPolicy.of(entries, problems);
    for (const problem of problems)
      context.addIssue(problem.replace(/^networks\[(\d+)\]:/, (_, i: string) => `entry ${Number(i) + 1}`));
  });
