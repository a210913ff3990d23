import { readFileSync } from 'node:fs';

const PAGE = new URL('../../../../docs/redis-in-production.md', import.meta.url);

/** What the page says of Redis 8 outside of its blocks. */
const SINCE_8 = ['+hsetex', '+client|setinfo'];

/** Rules of `ACL SETUSER` for an election and a detector cluster with the prefix `{detector}:`, as the documentation has them. */
export function documentedRules(generation: string): string[] {
  const blocks = readFileSync(PAGE, 'utf8').matchAll(/```text\nACL SETUSER ([^`]+)```/g);
  const rules = Array.from(blocks, ([, text]) => text!.split(/\s+/)).flat();
  const wanted = rules.filter((rule) => /^[~&+]/.test(rule) || rule.startsWith('reset'));
  return [...new Set(wanted), ...(generation === '8' ? SINCE_8 : [])];
}
