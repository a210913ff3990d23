import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const ITERATIONS = 1;

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const field = (message: string, name: string) =>
  message
    .split(',')
    .find((part) => part.startsWith(`${name}=`))!
    .slice(2);

/** The server's side of SCRAM-SHA-256, for one client with a password. */
export class ScramServer {
  private clientFirst = '';
  private serverFirst = '';
  private readonly salt = randomBytes(16);

  constructor(private readonly password: string) {}

  /** @param message The client's first message, `n,,n=<user>,r=<nonce>`. */
  first(message: string): string {
    this.clientFirst = message.slice('n,,'.length);
    const nonce = field(this.clientFirst, 'r') + randomBytes(18).toString('base64').replaceAll(',', '');
    this.serverFirst = `r=${nonce},s=${this.salt.toString('base64')},i=${ITERATIONS}`;
    return this.serverFirst;
  }

  /**
   * @param message The client's final message, `c=biws,r=<nonce>,p=<proof>`.
   * @returns The server's signature, or `undefined` when the password is wrong.
   */
  final(message: string): string | undefined {
    const salted = pbkdf2Sync(this.password, this.salt, ITERATIONS, 32, 'sha256');
    const withoutProof = message.slice(0, message.lastIndexOf(',p='));
    const authMessage = [this.clientFirst, this.serverFirst, withoutProof].join(',');
    const storedKey = createHash('sha256').update(hmac(salted, 'Client Key')).digest();
    const signature = hmac(storedKey, authMessage);
    const proof = Buffer.from(message.slice(message.lastIndexOf(',p=') + 3), 'base64');
    const clientKey = Buffer.from(proof.map((byte, index) => byte ^ signature[index]!));
    if (!createHash('sha256').update(clientKey).digest().equals(storedKey)) return undefined;
    return `v=${hmac(hmac(salted, 'Server Key'), authMessage).toString('base64')}`;
  }
}
