import { z } from 'zod';

/**
 * `<displayId>;<cameraId>`. Only length is checked here, so that one odd row does not make a whole state report
 * unreadable; the form is enforced where identifiers are created.
 */
export const subscriptionIdentifierField = z.string().min(1).max(1024);
