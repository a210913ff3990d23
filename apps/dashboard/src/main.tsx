import { render } from 'preact';
import { startFeed } from './feed/feed.js';
import { startShortcuts } from './shell/overlay.js';
import { App } from './shell/app.js';
import { startRouter } from './shell/router.js';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import { startClock } from './time/clock.js';

startRouter();
startClock();
startShortcuts();
startFeed();
render(<App />, document.getElementById('app')!);
