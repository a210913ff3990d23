import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';

const digest = (value: string) => createHash('sha256').update(value).digest();

/** Whether a key is that of this service. */
@Injectable()
export class ApiKeyCheck {
  private readonly expected: Buffer | null;

  constructor(@Inject(APP_CONFIG) config: AppConfig) {
    this.expected = config.http.apiKey === null ? null : digest(config.http.apiKey);
  }

  /** True for any text where no key is configured. */
  accepts(given: string): boolean {
    // Digests have one length, so the comparison tells nothing about the key, not even how long it is.
    return this.expected === null || timingSafeEqual(digest(given), this.expected);
  }
}
