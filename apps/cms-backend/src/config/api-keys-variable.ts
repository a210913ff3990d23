import { z } from 'zod';

/** The permissions of a key: to read, or also to change and act. */
export type Role = 'read' | 'operate';

export interface ApiKey {
  /** The log shows it with each action of the key. */
  readonly name: string;
  readonly role: Role;
  readonly key: string;
}

const KEY = /^[\x21-\x7e]{8,256}$/;
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

/** A key alone. */
export const apiKeyVariable = z
  .string()
  .regex(KEY, 'must be 8 to 256 printable ASCII characters without spaces');

/** `<name>:<role>:<key>` entries with white space between them. */
export const apiKeysVariable = z.string().transform((text, context): ApiKey[] => {
  const keys: ApiKey[] = [];
  const problem = (message: string) => context.addIssue({ code: 'custom', message });
  for (const [i, entry] of text.split(/\s+/).filter(Boolean).entries()) {
    const [name = '', role = '', ...rest] = entry.split(':');
    const key = rest.join(':');
    if (!NAME.test(name))
      problem(`entry ${i + 1} must be name:role:key, its name letters, digits, ".", "_" and "-", at most 64`);
    else if (role !== 'read' && role !== 'operate') problem(`the role of ${name} must be read or operate`);
    else if (!KEY.test(key))
      problem(`the key of ${name} must be 8 to 256 printable ASCII characters without spaces`);
    else if (keys.some((each) => each.key === key)) problem(`the key of ${name} is that of another entry`);
    else keys.push({ name, role, key });
  }
  return keys;
});
