/** How the parent starts a child: `node <file> <role> <redis url> <prefix> <worker port> `. */
export interface ChildArguments {
  readonly role: 'master' | 'consumer';
  readonly redis: string;
  readonly prefix: string;
  readonly port: number;
}

/** What a child tells its parent. */
export type ChildMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'progress'; readonly count: number }
  /** Of what has arrived since the report before. Milliseconds. */
  | { readonly type: 'report'; readonly latencies: readonly number[] };

export function childArguments(): ChildArguments {
  const [role, redis, prefix, port] = process.argv.slice(2);
  return {
    role: role === 'master' ? 'master' : 'consumer',
    redis: redis!,
    prefix: prefix!,
    port: Number(port),
  };
}

export function tell(message: ChildMessage): void {
  process.send!(message);
}
