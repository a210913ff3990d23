/** PEM files of a server with TLS. */
export interface EtcdTls {
  /** The authority that verifies the certificates of the server and its clients. */
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}
