import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.js';
import './ui.css';

export interface EmptyStateProps {
  readonly title: string;
  readonly icon?: IconName;
  /** Why, and what to do about it. */
  readonly children?: ComponentChildren;
}

export function EmptyState({ title, icon = 'info', children }: EmptyStateProps) {
  return (
    <div class="empty-state panel">
      <Icon name={icon} />
      <p class="empty-state-title">{title}</p>
      {children !== undefined && <p>{children}</p>}
    </div>
  );
}
