import type { ComponentChildren } from 'preact';
import type { Answer } from '../api/answer.js';
import type { Tone } from './badge.js';
import { Icon } from './icon.js';
import './ui.css';

/** A notice across the page or a dialog. */
export function Notice({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return (
    <div class={`notice tone-${tone}`}>
      <Icon name={tone === 'ok' ? 'check' : tone === 'info' || tone === 'muted' ? 'info' : 'alert'} />
      <div dir="auto">{children}</div>
    </div>
  );
}

export interface ProblemProps {
  /** What could not be read. */
  readonly of: Pick<Answer<unknown>, 'problem'>;
  /** What is missing because of that, in a sentence. */
  readonly children: string;
}

/** Why the last question failed, if it did. */
export function Problem({ of: { problem }, children }: ProblemProps) {
  if (problem.value === null) return null;
  return (
    <Notice tone="warn">
      {children} {problem.value}
    </Notice>
  );
}
