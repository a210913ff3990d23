import { defineConfig, defaultClientConditions } from 'vite';
import { firstViewLimit } from './src/build/first-view-limit.js';
import { runbook } from './src/build/runbook-page.js';

/** A running backend, for `npm run dev`. */
const backend = process.env.DASHBOARD_BACKEND ?? 'http://127.0.0.1:3000';

export default defineConfig({
  resolve: { conditions: ['@detector-cluster/source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    // Inlined files would be `data:` URLs, which the page's content security policy refuses for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  plugins: [firstViewLimit(), runbook()],
  server: { proxy: { '/api': { target: backend, ws: true } } },
});
