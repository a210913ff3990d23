import type { ComponentChildren } from 'preact';
import './button.css';
import { classNames } from './class-names.js';
import { Icon, type IconName } from './icon.js';

export interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: (event: MouseEvent) => void;
  readonly tone?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly size?: 'normal' | 'small';
  readonly type?: 'button' | 'submit';
  readonly icon?: IconName;
  /** It does nothing now, but can be found and keeps the focus; say why in `title`. */
  readonly disabled?: boolean;
  readonly title?: string | undefined;
  /** Something that it has begun is under way. */
  readonly busy?: boolean;
  /** What it does, where its text alone does not say upon what. */
  readonly label?: string;
  /** Of a dialog: has the focus when that opens. */
  readonly first?: boolean;
  /** Of a button that stays in: whether it is. */
  readonly pressed?: boolean;
}

export function Button({
  children,
  onClick,
  tone = 'plain',
  size = 'normal',
  type = 'button',
  icon,
  disabled = false,
  title,
  busy = false,
  label,
  first = false,
  pressed,
}: ButtonProps) {
  return (
    <button
      type={type}
      class={classNames('button', `button-${tone}`, size === 'small' && 'button-small')}
      title={title}
      data-first={first || undefined}
      aria-disabled={disabled || busy || undefined}
      aria-busy={busy || undefined}
      aria-label={label}
      aria-pressed={pressed}
      onClick={(event) => {
        if (disabled || busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <span class="spinner" aria-hidden="true" /> : icon !== undefined && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}
