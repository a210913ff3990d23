import type { NextFunction, Request, Response } from 'express';
import type { AppConfig } from '../config/app-config.js';
import { problems } from './problem/problems.js';

/**
 * Whether requests may come under a name. A page that has its own name resolve to this machine (DNS rebinding) comes under that
 * name, which has a dot and is no address. Where keys are configured such a page has none; then only `allowedHosts` restricts names.
 */
export function isKnownHost(
  host: string | undefined,
  { allowedHosts, keys }: Pick<AppConfig['http'], 'allowedHosts' | 'keys'>,
): boolean {
  if (keys.length > 0 && allowedHosts.length === 0) return true;
  // Only browsers are misled, and they always send it.
  if (host === undefined) return true;
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  const isAddress = hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname);
  return (
    isAddress || !hostname.includes('.') || hostname.endsWith('.localhost') || allowedHosts.includes(hostname)
  );
}

export function requireKnownHost(config: AppConfig['http']) {
  return ({ headers }: Request, _response: Response, next: NextFunction): void => {
    if (isKnownHost(headers.host, config)) return next();
    next(problems.misdirected('this service is not known under this name: add the name to ALLOWED_HOSTS'));
  };
}
