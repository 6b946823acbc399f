import { useEffect, useRef } from 'react';
import { reportLost } from './connection.ts';
import { follow } from './follow.ts';

/**
 * Follows one event stream of the API while the component is there and the tab is shown. `key` names what is followed;
 * null follows nothing.
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
    const stream = follow<T>({
      open: (signal) => latest.current.open(signal),
      onItem: (item) => latest.current.onItem(item),
      onLost(error) {
        if (error instanceof TypeError) reportLost();
      },
      shown: !document.hidden,
    });
    const onVisibility = (): void => stream.show(!document.hidden);
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      stream.close();
    };
  }, [key]);
}
