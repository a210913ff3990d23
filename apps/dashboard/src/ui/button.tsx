import type { ComponentChildren } from 'preact';
import { feed } from '../feed/feed.js';
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
  /** A disabled button does nothing but stays focusable; give the reason in `title`. */
  readonly disabled?: boolean;
  readonly title?: string | undefined;
  /** Its action is in progress. */
  readonly busy?: boolean;
  /** Accessible name, if the text does not name the object of the action. */
  readonly label?: string;
  /** It changes something: it is shown only to those who may do that. */
  readonly changes?: boolean;
  /** Gets the focus when its dialog opens. */
  readonly first?: boolean;
  /** For a toggle button: whether it is pressed. */
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
  changes = false,
  pressed,
}: ButtonProps) {
  if (changes && !feed.mayOperate.value) return null;
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
