/** Files of a server that speaks TLS, PEM. */
export interface EtcdTls {
  /** What the server's certificate and those of its clients are checked against. */
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}
