import { expect, it } from 'vitest';
import { type Member, MemberView } from '../detector/member-view.js';
import { messageSchema, WIRE_VERSION } from '../transport/message.js';
import { membersForJoin } from './join-handler.js';

/** The default of `maxPayload`. */
const MAX_PAYLOAD = 2 ** 20;

const member = (id: number, status: Member['status']): Member => ({
  id,
  // As long as the schema allows.
  address: `${id}.`.padEnd(295, 'x') + ':7000',
  boot: `${id}`.padEnd(64, 'b'),
  status,
  incarnation: 1,
});

it('answers a JOIN with one message, however many members the group has and has had', () => {
  const view = new MemberView();
  for (let id = 1; id <= 12_000; id++) view.apply(member(id, id % 4 === 0 ? 'alive' : 'departed'));
  const members = membersForJoin(view, 11_996);
  const { address, boot } = member(11_996, 'alive');
  const message = {
    v: WIRE_VERSION,
    group: 'group',
    epoch: 1,
    from: { id: 11_996, address, boot, incarnation: 0 },
    to: 0,
    type: 'JOINACK',
    nonce: 'nonce',
    answer: {
      outcome: 'accepted',
      id: 12_001,
      incarnation: 0,
      leader: { id: 11_996, address, name: 'leader', term: 1, revision: 1, leaseTtl: 5_000, barred: 0 },
      members,
    },
  };
  expect(messageSchema.safeParse(message).success).toBe(true);
  expect(JSON.stringify(message).length).toBeLessThan(MAX_PAYLOAD);
  expect(members[0]!.id).toBe(11_996);
  expect(members.every(({ status }) => status === 'alive')).toBe(true);
});
