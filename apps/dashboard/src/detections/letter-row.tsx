import type { DeadLetter } from '../api/cluster-types.js';
import { processName } from '../overview/process-text.js';
import { routeHref } from '../shell/route.js';
import { AgeOf } from '../time/age-of.js';
import { Id } from '../ui/copy-button.js';
import { Disclosure } from '../ui/disclosure.js';
import { Facts } from '../ui/facts.js';
import { Text } from '../ui/text.js';
import { counted } from '../wording/counted.js';
import { WorkerLink } from '../overview/worker-link.js';

/** Whose callbacks failed. */
const AUDIENCES: Readonly<Record<string, string>> = {
  owner: 'callbacks of the owner',
  listener: 'listeners of the subscription',
};

export interface LetterRowProps {
  readonly letter: DeadLetter;
  readonly selected: boolean;
  readonly onSelect: (selected: boolean) => void;
}

export function LetterRow({ letter, selected, onSelect }: LetterRowProps) {
  const { attempts, error, failedAt, letterId } = letter;
  const subscription = letter.subscriptionIdentifier;
  return (
    <li>
      <input
        type="checkbox"
        aria-label={`Select the letter ${letterId}`}
        checked={selected}
        onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
      />
      <Disclosure
        summary={
          <>
            <span class="letter-subscription">
              {subscription === null ? <span class="muted">Unreadable</span> : <Text value={subscription} />}
            </span>
            <span class="letter-error">
              <Text value={firstLine(error)} />
            </span>
            <span class="muted letter-when">
              {counted(attempts, 'attempt')}, <AgeOf iso={failedAt} /> ago
            </span>
          </>
        }
      >
        {() => <LetterBody letter={letter} />}
      </Disclosure>
    </li>
  );
}

function LetterBody({ letter }: Pick<LetterRowProps, 'letter'>) {
  const { audience, detectionId, error, frame, letterId, processId, workerUrl } = letter;
  const subscription = letter.subscriptionIdentifier;
  return (
    <>
      <h3>Error</h3>
      <pre class="mono" dir="auto" tabIndex={0}>
        {error === '' ? '(none)' : error}
      </pre>
      <h3>Message from the worker</h3>
      <pre class="mono" dir="auto" tabIndex={0}>
        {frame}
      </pre>
      <Facts
        of={{
          Letter: <Id text={letterId} what="the id of the letter" />,
          Detection: <Id text={detectionId} what="the id of the detection" />,
          'Failed in': (
            <>
              <bdi>{processName(processId)}</bdi>,{' '}
              {AUDIENCES[audience] ?? audience}
            </>
          ),
          Worker: <WorkerLink url={workerUrl} />,
        }}
      />
      {subscription !== null && (
        <p>
          <a href={routeHref('subscriptions', { explain: subscription })}>Explain the subscription</a>
        </p>
      )}
    </>
  );
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!;
}
