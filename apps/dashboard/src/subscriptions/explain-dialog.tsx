import { clusterApi } from '../api/cluster-api.js';
import { useLoaded } from '../api/use-answer.js';
import { CameraLink } from '../cameras/camera-card.js';
import { feed } from '../feed/feed.js';
import { AgeOf } from '../time/age-of.js';
import { AsOf } from '../ui/as-of.js';
import { Id } from '../ui/copy-button.js';
import { Dialog } from '../ui/dialog.js';
import { Facts } from '../ui/facts.js';
import { Problem } from '../ui/notice.js';
import { textOf } from '../wording/phrase.js';
import { REASON_DETAILS, reasonText } from './reason-text.js';
import { StatusBadge } from './status-badge.js';
import { splitIdentifier } from './subscription-entry.js';
import './explain-dialog.css';
import { Explanation } from './explanation.js';

export interface ExplainDialogProps {
  readonly subscriptionIdentifier: string;
  readonly onClose: () => void;
}

/** Why a subscription has its status, where it runs, and which workers could take it. */
export function ExplainDialog({ subscriptionIdentifier, onClose }: ExplainDialogProps) {
  const answer = useLoaded(() => clusterApi.explain(subscriptionIdentifier), [subscriptionIdentifier]);
  const [displayId, cameraId] = splitIdentifier(subscriptionIdentifier);
  const explanation = answer.value.value;
  return (
    <Dialog title="Explain the subscription" wide onClose={onClose}>
      <Facts
        of={{
          Display: <bdi>{displayId}</bdi>,
          Camera: cameraId === '' ? '–' : <CameraLink cameraId={cameraId} />,
          Identifier: <Id text={subscriptionIdentifier} what="the identifier of the subscription" />,
          Status: <Status subscriptionIdentifier={subscriptionIdentifier} />,
        }}
      />
      <div role="status">
        <Problem of={answer}>The explanation is not available.</Problem>
        {explanation === null && answer.loading.value && <p class="muted">Asking the master…</p>}
      </div>
      {explanation !== null && (
        <div class="explain-answer">
          <Explanation explanation={explanation} />
        </div>
      )}
      <AsOf answer={answer} />
    </Dialog>
  );
}

/** Read from the feed, so that it stays current while the dialog is open. */
function Status({ subscriptionIdentifier }: Pick<ExplainDialogProps, 'subscriptionIdentifier'>) {
  const rows = feed.subscriptions.value;
  if (!Object.hasOwn(rows, subscriptionIdentifier))
    return (
      <span class="muted">
        {feed.subscriptionsKnown.value ? 'This subscription does not exist.' : 'Loading…'}
      </span>
    );
  const { detail: ofWorker, reason, since, status } = rows[subscriptionIdentifier]!;
  const detail = textOf(REASON_DETAILS, reason);
  return (
    <>
      <div class="explain-status">
        <StatusBadge status={status} />
        <span dir="auto">{reasonText(reason)}</span>
        <span class="muted">
          for <AgeOf iso={since} />
        </span>
      </div>
      {ofWorker !== '' && (
        <p>
          The worker says: <bdi>{ofWorker}</bdi>
        </p>
      )}
      {detail !== reason && <p class="muted">{detail}</p>}
    </>
  );
}
