import { hkdfSync } from 'crypto';
import { sealText, openText } from './sealed-text.js';

/** Seals text under keys derived from the option `secret`. Keys are private to the object; neither JSON nor a log shows them. */
export class SecretBox {
  readonly #keys: readonly Buffer[];
  readonly #hashKey: Buffer;

  /** @param secrets the first one seals, every one opens: put a new secret in front of the old ones */
  constructor(secrets: readonly [string, ...string[]]) {
    this.#keys = secrets.map((secret) => derive(secret, 'seal'));
    this.#hashKey = derive(secrets[0], 'hash');
  }

  /** Key for hashes of sealed values. Hashes without a key would allow brute-forcing passwords. */
  get hashKey(): Buffer {
    return this.#hashKey;
  }

  /** See {@link sealText}. */
  seal(text: string, context: string): string {
    return sealText(text, context, this.#keys[0]!);
  }

  /** The text; null if it was sealed with another secret or for another context, or has been changed. */
  open(sealed: string, context: string): string | null {
    for (const key of this.#keys) {
      const text = openText(sealed, context, key);
      if (text !== null) return text;
    }
    return null;
  }
}
function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `detector-cluster ${purpose} v1`, 32));
}
