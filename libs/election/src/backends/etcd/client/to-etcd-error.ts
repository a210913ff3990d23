import { status, type ServiceError } from '@grpc/grpc-js';
import { EtcdError, type EtcdErrorCode } from './etcd.error.js';

const CERTIFICATE = /certificate|CERT_|SSL|TLS|ALTNAME|self.signed/i;

/** Converts an error of the client library to an `EtcdError`. */
export function toEtcdError(error: unknown, endpoint: string): EtcdError {
  if (error instanceof EtcdError) return error;
  const { code, details, message } = error as Partial<ServiceError>;
  const said = details || message || String(error);
  return new EtcdError(codeOf(code, said), textOf(code, said), endpoint, error);
}

function codeOf(code: status | undefined, said: string): EtcdErrorCode {
  if (/authentication failed|invalid auth token|user name not found/.test(said)) return 'WRONG_CREDENTIALS';
  if (/user name is empty/.test(said)) return 'NO_CREDENTIALS';
  if (/permission denied/.test(said)) return 'PERMISSION_DENIED';
  switch (code) {
    case status.UNAVAILABLE:
      if (/no leader|leader changed|request timed out|not capable|too many requests/.test(said))
        return 'NO_LEADER';
      return CERTIFICATE.test(said) ? 'CERTIFICATE' : 'UNREACHABLE';
    case status.CANCELLED:
    case status.INTERNAL:
      return 'UNREACHABLE';
    case status.DEADLINE_EXCEEDED:
      return 'TIMEOUT';
    case status.UNAUTHENTICATED:
      return 'WRONG_CREDENTIALS';
    case status.PERMISSION_DENIED:
      return 'PERMISSION_DENIED';
    case status.RESOURCE_EXHAUSTED:
      return 'NO_SPACE';
    default:
      return 'REFUSED';
  }
}

/** The library's own texts name its internals; etcd's are plain. */
function textOf(code: status | undefined, said: string): string {
  if (code === status.DEADLINE_EXCEEDED) return 'no answer in time';
  const [, cause] = /Last error: (?:Error: )?(.*?)(?:\. Resolution note.*)?$/s.exec(said) ?? [];
  return (cause ?? said).replace(/^etcdserver: /, '').slice(0, 300);
}
