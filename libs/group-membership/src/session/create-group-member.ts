import { unknownOptions } from '@detector-cluster/election/internal';
import { GroupMember } from './group-member.js';
import type { CoreGroupOptions } from './group-options.js';
import { examineGroupOptions, InvalidGroupOptionsError } from './resolve-group-options.js';
import { WsTransport } from '../transport/ws-transport.js';
import { examineWsOptions, type WsTransportOptions } from '../transport/ws-options.js';

/** A member of a group over WebSockets. */
export interface GroupOptions extends CoreGroupOptions, WsTransportOptions {}

/**
 * Creates a member of a group, and its transport. Opens no connection before `member.start()`.
 * @throws InvalidGroupOptionsError with all problems at once.
 */
export function createGroupMember(raw: GroupOptions): { member: GroupMember; transport: WsTransport } {
  if (typeof raw !== 'object' || raw === null)
    throw new InvalidGroupOptionsError(['options must be an object']);
  const { options, problems } = examineGroupOptions(raw);
  const ws = examineWsOptions(raw);
  const known = Object.keys({ ...options, ...ws.options });
  const all = [...unknownOptions(raw, known), ...ws.problems, ...problems];
  if (all.length > 0) throw new InvalidGroupOptionsError(all);
  const transport = new WsTransport(ws.options, options.group, options.onWarning);
  return { member: new GroupMember({ ...options, transport }), transport };
}
