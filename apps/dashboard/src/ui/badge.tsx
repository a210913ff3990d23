import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.js';
import './ui.css';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'muted';

const ICONS: Readonly<Record<Tone, IconName>> = {
  ok: 'check',
  warn: 'alert',
  bad: 'cross',
  info: 'info',
  muted: 'minus',
};

export interface BadgeProps {
  readonly tone: Tone;
  /** A state in a word or two. */
  readonly children: ComponentChildren;
  /** An icon instead of the one of its tone. */
  readonly icon?: IconName;
  readonly title?: string;
}

/** A state, shown by icon and text as well as colour. */
export function Badge({ tone, children, icon = ICONS[tone], title }: BadgeProps) {
  return (
    <span class={`badge tone-${tone}`} title={title}>
      <Icon name={icon} />
      <span class="cut" dir="auto">
        {children}
      </span>
    </span>
  );
}
