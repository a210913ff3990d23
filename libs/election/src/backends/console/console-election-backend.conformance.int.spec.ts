import { consoleHarness } from '../../test-support/console-harness.js';
import { describeElectionBackend } from '../../testing/describe-election-backend.js';

describeElectionBackend('console', () => Promise.resolve(consoleHarness()), { leasesExpire: false });
