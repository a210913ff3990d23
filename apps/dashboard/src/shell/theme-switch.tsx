import { Button } from '../ui/button.js';
import type { IconName } from '../ui/icon.js';
import { switchTheme, theme, type Theme } from './theme.js';

const LOOKS: Readonly<Record<Theme, { readonly icon: IconName; readonly name: string }>> = {
  system: { icon: 'system', name: 'System' },
  light: { icon: 'sun', name: 'Light' },
  dark: { icon: 'moon', name: 'Dark' },
};

export function ThemeSwitch() {
  const { icon, name } = LOOKS[theme.value];
  return (
    <Button tone="quiet" size="small" icon={icon} onClick={switchTheme} label={`${name} theme: switch`}>
      {name}
    </Button>
  );
}
