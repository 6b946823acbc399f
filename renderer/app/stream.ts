import { useEffect, useRef } from 'react';
import { reportLost } from './connection.ts';
import { isAbort } from './errors.ts';

/**
 * Follows one event stream of the API while the component is there: `open` is asked again, with a growing pause, when the
 * stream ends or breaks, and when the tab is shown again. A hidden tab keeps no stream open: a browser allows six
 * connections to a server in all, and every stream holds one. `key` names what is followed; null follows nothing.
 */
export function useStream<T>(
  key: string | null,
  open: (signal: AbortSignal) => Promise<AsyncIterable<T>>,
  onItem: (item: T) => void,
): void {
  const latest = useRef({ open, onItem });
  latest.current = { open, onItem };
  useEffect(() => {
    if (key === null) return;
    let current: AbortController | null = null;
    const follow = (): void => {
      if (current || document.hidden) return;
      current = new AbortController();
      void keepOpen(current.signal, latest);
    };
    const stop = (): void => {
      current?.abort();
      current = null;
    };
    const onVisibility = (): void => (document.hidden ? stop() : follow());
    document.addEventListener('visibilitychange', onVisibility);
    follow();
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      stop();
    };
  }, [key]);
}

type Latest<T> = {
  current: { open: (signal: AbortSignal) => Promise<AsyncIterable<T>>; onItem: (item: T) => void };
};

async function keepOpen<T>(signal: AbortSignal, latest: Latest<T>): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    try {
      for await (const item of await latest.current.open(signal)) {
        if (signal.aborted) return;
        failures = 0;
        latest.current.onItem(item);
      }
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      if (error instanceof TypeError) reportLost();
    }
    failures++;
    await pause(Math.min(5000, 250 * 2 ** failures), signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    const wake = (): void => {
      clearTimeout(timer);
      done();
    };
    signal.addEventListener('abort', wake, { once: true });
  });
}
