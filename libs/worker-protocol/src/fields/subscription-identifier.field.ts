import { z } from 'zod';

/**
 * Only length is checked here, so that one odd row does not make a whole state report unreadable; the form is enforced
 * where identifiers are created.
 */
export const subscriptionIdentifierField = z
  .string()
  .min(1)
  .max(1024)
  .describe(
    '`<displayId>;<cameraId>`, at most 1,024 characters. Compare it as it is; nothing is normalised.',
  );
