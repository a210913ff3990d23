import { Injectable, Inject } from '@nestjs/common';
import { createHash, timingSafeEqual } from 'crypto';
import type { Role } from '../config/api-keys-variable.js';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';

const digest = (value: string) => createHash('sha256').update(value).digest();
/** The owner of the key of a request. */
export interface Caller {
  readonly name: string;
  readonly role: Role;
}
const ANYBODY: Caller = { name: 'anybody', role: 'operate' };
/** Checks whether a key belongs to this service, and finds its owner. */
@Injectable()
export class ApiKeyCheck {
  private readonly keys: readonly (Caller & { readonly digest: Buffer })[];

  constructor(@Inject(APP_CONFIG) config: AppConfig) {
    this.keys = config.http.keys.map(({ name, role, key }) => ({ name, role, digest: digest(key) }));
  }

  /** Null for a wrong key. Where no key is configured, every caller may operate. */
  identify(given: string): Caller | null {
    if (this.keys.length === 0) return ANYBODY;
    const of = digest(given);
    // Digests have one length, and all are compared, so the time reveals nothing about the keys.
    const matching = this.keys.filter((key) => timingSafeEqual(of, key.digest));
    return matching[0] ?? null;
  }
}
