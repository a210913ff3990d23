// The journalled service, which measures all times with the wall clock.
performance.now = () => Date.now();
await import('../../../tools/chaos/dist/delivery/journalled-backend.child.js');
