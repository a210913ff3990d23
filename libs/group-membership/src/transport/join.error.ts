/** Why a process could not join. */
export type JoinFailure =
  'store-unreachable' | 'leader-unreachable' | 'not-leader' | 'address-in-use' | 'unknown-error';

const REMEDY: Readonly<Record<JoinFailure, string>> = {
  'store-unreachable':
    'the leader store did not answer; check that it runs and that its address and rights are right',
  'leader-unreachable':
    'the leader renews its record in the store but does not answer here; check that its internalAddress can be reached from this process',
  'not-leader': 'the process that is recorded as the leader answers that it does not lead',
  'address-in-use': 'its internalAddress belongs to another member; give each process an address of its own',
  'unknown-error': 'the leader could not accept it',
};

/** A process gave up joining its group. */
export class JoinError extends Error {
  override readonly name: string = 'JoinError';
  readonly code: string = 'JOIN';

  constructor(
    readonly failure: JoinFailure,
    readonly attempts: number,
    detail?: string,
    cause?: unknown,
  ) {
    super(
      `could not join the group in ${attempts} attempts: ${REMEDY[failure]}${detail ? ` (${detail})` : ''}`,
      { cause },
    );
  }
}

/** Another process listens at this address, or is a member of the group with it. */
export class AddressInUseError extends JoinError {
  override readonly name = 'AddressInUseError';
  override readonly code = 'ADDRESS_IN_USE';

  /** @param holder Id of the member with this address, if there is one. */
  constructor(
    readonly address: string,
    readonly holder: number | null,
    attempts = 1,
  ) {
    const who = holder === null ? 'another process listens there' : `member ${holder} has it`;
    super('address-in-use', attempts, `internalAddress ${address}: ${who}`);
  }
}
