/** A user of a server's access control list. */
export interface RedisUser {
  readonly name: string;
  readonly password: string;
  /** As in `ACL SETUSER`, without state and password: `['~{app}:*', '+get']`. */
  readonly rules: readonly string[];
}

/** Arguments of the server's command line for the user. */
export function userArguments({ name, password, rules }: RedisUser): string[] {
  return ['--user', name, 'on', `>${password}`, ...rules];
}
