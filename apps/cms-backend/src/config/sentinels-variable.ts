import { z } from 'zod';

const PORT = 26_379;
const MOST_PORT = 65_535;

/** Host names, IPv4 addresses, and IPv6 addresses in brackets; the port is optional. */
const ADDRESS = /^(?:([^\s:[\]@/]+)|\[([^\s[\]@/]+)\])(?::(\d{1,5}))?$/;

/** `host:port` of each sentinel, with commas between them. Default port 26379. */
export const sentinelsVariable = z.string().transform((given, context) => {
  const entries = given
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const refuse = (message: string): never => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  if (entries.length === 0) return refuse('must name at least one sentinel');
  return entries.map((entry, index) => {
    const [, name, bracketed, digits] = ADDRESS.exec(entry) ?? [];
    const host = name ?? bracketed;
    const port = Number(digits ?? PORT);
    const isValid = host !== undefined && port > 0 && port <= MOST_PORT;
    return isValid ? { host, port } : refuse(`entry ${index + 1} must be host:port`);
  });
});
