import type { ComponentChildren } from 'preact';
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
