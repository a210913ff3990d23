import iconUrl from './icon.svg';
import { ConnectionState } from './connection-state.js';
import './header.css';
import { LockButton } from './lock-button.js';
import { Navigation } from './navigation.js';
import { ThemeSwitch } from './theme-switch.js';

export function Header() {
  return (
    <header class="header">
      <div class="header-top">
        <p class="header-name">
          <img src={iconUrl} alt="" width="24" height="24" />
          <span>Detector cluster</span>
        </p>
        <div class="header-end">
          <ConnectionState />
          <LockButton />
          <ThemeSwitch />
        </div>
      </div>
      <Navigation />
    </header>
  );
}
