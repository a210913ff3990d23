import { confirmAction } from '../actions/confirmation.js';
import { clusterApi } from '../api/cluster-api.js';
import { dropLetters, letters, replayLetters, type LetterIds, type LetterOutcome } from './letter-actions.js';

/** Receives the outcome; null: unknown, so the list has to be read again. */
export type Done = (outcome: LetterOutcome | null) => void;

export function askToReplay(ids: LetterIds, done: Done): void {
  confirmAction({
    title: ids === 'all' ? 'Replay all dead letters?' : `Replay ${letters(ids.length)}?`,
    body: () => (
      <p>
        The detections are delivered again, in order and marked as redelivered. Fix the cause first: a
        detection that fails again becomes a new letter.
      </p>
    ),
    confirm: 'Replay',
    run: () => finish(replayLetters(clusterApi.replay, ids), done),
  });
}

export function askToDrop(ids: LetterIds, done: Done): void {
  confirmAction({
    title: ids === 'all' ? 'Drop all dead letters?' : `Drop ${letters(ids.length)}?`,
    body: () => (
      <p>
        <strong>They are removed permanently.</strong> The failed callbacks never receive these detections
        {ids === 'all' && '; this includes letters that are not shown here'}.
      </p>
    ),
    confirm: 'Drop',
    tone: 'danger',
    run: () => finish(dropLetters(clusterApi.drop, ids), done),
  });
}

async function finish(working: Promise<LetterOutcome>, done: Done): Promise<string> {
  try {
    const outcome = await working;
    done(outcome);
    return outcome.text;
  } catch (error) {
    done(null);
    throw error;
  }
}
