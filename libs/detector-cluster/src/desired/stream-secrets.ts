import type { DesiredCameraSubscription } from '@detector-cluster/placement/internal';
import { redactCameraUrl, redactUrl, withoutQuery } from '../redact/redact-url.js';
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** The fields that can hold credentials or signatures. */
export const SECRET_FIELDS = ['rtspUrl', 'snapshotUrl', 'modelUrl'] as const;

export type StreamSecrets = Partial<Pick<DesiredCameraSubscription, (typeof SECRET_FIELDS)[number]>>;

/** Encrypts the URLs of a subscription; the result opens only for this subscription. */
export function sealUrls(subscription: DesiredCameraSubscription, box: SecretBox): string {
  const { rtspUrl, snapshotUrl, modelUrl, subscriptionIdentifier } = subscription;
  return box.seal(JSON.stringify({ rtspUrl, snapshotUrl, modelUrl }), subscriptionIdentifier);
}

/** Decrypts the result of {@link sealUrls}; null without its secret. The URLs were checked before they were encrypted. */
export function openUrls(
  sealed: string,
  subscriptionIdentifier: string,
  box: SecretBox | null,
): StreamSecrets | null {
  const urls = box?.open(sealed, subscriptionIdentifier) ?? null;
  return urls === null ? null : (JSON.parse(urls) as StreamSecrets);
}

/** The first field that may hold a credential or a signature; null if none does. */
export function secretField(subscription: DesiredCameraSubscription): (typeof SECRET_FIELDS)[number] | null {
  const open = withoutSecrets(subscription);
  return SECRET_FIELDS.find((field) => subscription[field] !== open[field]) ?? null;
}

/** The public form of a subscription: camera URLs as by `redactCameraUrl`, a signed model URL without its query. */
export function withoutSecrets(subscription: DesiredCameraSubscription): DesiredCameraSubscription {
  const { snapshotUrl, modelUrl } = subscription;
  return {
    ...subscription,
    rtspUrl: redactCameraUrl(subscription.rtspUrl),
    ...(snapshotUrl !== undefined && { snapshotUrl: redactCameraUrl(snapshotUrl) }),
    ...(modelUrl !== undefined && { modelUrl: withoutCredentials(modelUrl) }),
  };
}

/** {@link withoutQuery} only if the query holds a secret; a query that selects the model does not. */
function withoutCredentials(modelUrl: string): string {
  const redacted = redactUrl(modelUrl);
  return redacted === modelUrl ? modelUrl : withoutQuery(redacted);
}

const CIPHER = 'aes-256-gcm';
const VERSION = 'v1.';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals text with AES-256-GCM under keys derived from the option `secret`. The context (what the text belongs to) is
 * authenticated: a sealed text opens nowhere else. Keys are private to the object; neither JSON nor a log shows them.
 */
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

  /** Printable; differs each time. */
  seal(text: string, context: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#keys[0]!, iv, { authTagLength: TAG_BYTES }).setAAD(
      Buffer.from(context),
    );
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return VERSION + Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
  }

  /** The text; null if it was sealed with another secret or for another context, or has been changed. */
  open(sealed: string, context: string): string | null {
    if (!sealed.startsWith(VERSION)) return null;
    const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url');
    if (bytes.length < IV_BYTES + TAG_BYTES) return null;
    for (const key of this.#keys) {
      try {
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), {
          authTagLength: TAG_BYTES,
        })
          .setAAD(Buffer.from(context))
          .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        const body = bytes.subarray(IV_BYTES + TAG_BYTES);
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
      } catch {
        // Not this key.
      }
    }
    return null;
  }
}

function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `detector-cluster ${purpose} v1`, 32));
}
