import { memoryHarness } from '../../test-support/memory-harness.js';
import { describeElectionBackend } from '../../testing/describe-election-backend.js';

describeElectionBackend('memory', () => Promise.resolve(memoryHarness()));
