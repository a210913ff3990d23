import helmet from 'helmet';

/** For every answer, whatever it is: much of what the service shows was written by others. */
export const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    // Scripts and styles come from this service alone, nothing is framed, and no form sends anything anywhere.
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:', 'blob:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  xFrameOptions: { action: 'deny' },
  // What terminates TLS decides on it.
  strictTransportSecurity: false,
});
