import { createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync, type KeyObject } from 'node:crypto';
import { openText, sealText } from './sealed-text.js';
import type { Opener, Sealer } from './stream-secrets.js';

/** The public half of a {@link TermSeal}. */
export interface SealKey {
  readonly term: number;
  /** X25519, base64url. */
  readonly publicKey: string;
}

const VERSION = 'x1';

/** A master remembers so many shared keys, one for each process that has sealed something. */
const MAX_SHARED_KEYS = 1_000;

/**
 * The key pair of one term of a master. Any process can seal text for the term with the public key; only the master of that term can open
 * it, because the private key never leaves its memory. Neither JSON nor a log shows it.
 */
export class TermSeal implements Opener {
  readonly key: SealKey;
  readonly #privateKey: KeyObject;
  readonly #shared = new Map<string, Buffer>();

  constructor(term: number) {
    const { privateKey, publicKey } = generateKeyPairSync('x25519');
    this.#privateKey = privateKey;
    this.key = { term, publicKey: textOf(publicKey) };
  }

  /** The text; null if it was sealed for another term or context, or has been changed. */
  open(sealed: string, context: string): string | null {
    const [version, sender, body] = sealed.split(':');
    if (version !== VERSION || sender === undefined || body === undefined) return null;
    const key = this.sharedWith(sender);
    return key === null ? null : openText(body, contextOf(this.key, context), key);
  }

  private sharedWith(sender: string): Buffer | null {
    const known = this.#shared.get(sender);
    if (known !== undefined) return known;
    try {
      const shared = derive(this.#privateKey, sender, sender, this.key);
      if (this.#shared.size >= MAX_SHARED_KEYS) this.#shared.clear();
      this.#shared.set(sender, shared);
      return shared;
    } catch {
      // Not a public key.
      return null;
    }
  }
}

/**
 * Seals text for the master of a term, with a key pair that exists for this purpose alone.
 * @throws {Error} when the key is not a public key
 */
export function sealerFor(key: SealKey): Sealer {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  const sender = textOf(publicKey);
  const shared = derive(privateKey, key.publicKey, sender, key);
  return {
    seal: (text, context) => `${VERSION}:${sender}:${sealText(text, contextOf(key, context), shared)}`,
  };
}

function derive(own: KeyObject, other: string, sender: string, { publicKey }: SealKey): Buffer {
  const secret = diffieHellman({ privateKey: own, publicKey: keyOf(other) });
  return Buffer.from(hkdfSync('sha256', secret, `${sender} ${publicKey}`, 'detector-cluster term v1', 32));
}

function contextOf({ term }: SealKey, context: string): string {
  return `${term} ${context}`;
}

function textOf(publicKey: KeyObject): string {
  return publicKey.export({ format: 'jwk' }).x!;
}

function keyOf(text: string): KeyObject {
  return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'X25519', x: text } });
}
