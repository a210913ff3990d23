/**
 * Aborts when the signal does, and after `timeout` ms with a `TimeoutError`. Not `AbortSignal.timeout` within `AbortSignal.any`, which
 * holds it weakly: Node 20 may collect it before it fires. Its timer does not keep the process alive.
 */
export function signalWithin(timeout: number, signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  const end = () => late.abort(new DOMException(`not done within ${timeout} ms`, 'TimeoutError'));
  setTimeout(end, timeout).unref();
  return AbortSignal.any([signal, late.signal]);
}
