import { KeyboardHelp } from './keyboard-help.js';
import { overlay } from './overlay.js';
import { Palette } from './palette.js';

/** The palette or the keyboard help, if it is open. */
export function Overlays() {
  switch (overlay.value) {
    case 'palette':
      return <Palette />;
    case 'help':
      return <KeyboardHelp />;
    case null:
      return null;
  }
}
