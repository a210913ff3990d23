import { X509Certificate } from 'node:crypto';

/** Certificates and keys, PEM. */
export interface EtcdTls {
  /** What the members' certificates are checked against. Default: the authorities that Node trusts. */
  readonly ca?: string | Buffer;
  /** The client's own certificate, with {@link key}. */
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
}

/** The same, or a function that returns it. The client calls it at every connection, so it uses renewed files without a restart. */
export type EtcdTlsSource = EtcdTls | (() => EtcdTls | Promise<EtcdTls>);

/** The problem with the dates of the client's own certificate. A server that refuses it does not name the reason. */
export function certificateProblem({ cert }: EtcdTls, now: number): string | undefined {
  if (cert === undefined) return undefined;
  const { validFrom, validTo } = new X509Certificate(cert);
  if (now > Date.parse(validTo)) return `the client's certificate expired on ${validTo}`;
  if (now < Date.parse(validFrom)) return `the client's certificate is not valid before ${validFrom}`;
  return undefined;
}
