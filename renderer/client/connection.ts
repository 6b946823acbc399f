import { create } from 'zustand';

/**
 * Whether the studio answers: `lost` since a request never reached it; `refused` since it was started anew and does not
 * know this page's token any more (opening its new address in any tab heals all); `healed` for a moment after either.
 */
type Connection = 'up' | 'lost' | 'refused' | 'healed';

type State = { connection: Connection; retries: number };
export const useConnection = create<State>(() => ({ connection: 'up', retries: 0 }));

const HEALED_FOR_MS = 3000;
const RETRY_MS = [500, 1000, 2000, 4000];

let ask: (() => Promise<unknown>) | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const healedListeners = new Set<() => void>();

/** main.tsx gives the request that asks whether the studio is there. */
export function setProbe(probe: () => Promise<unknown>): void {
  ask = probe;
}

/** Called when the connection is back, to fetch again what may have changed. Gives the way to stop listening. */
export function onHealed(listener: () => void): () => void {
  healedListeners.add(listener);
  return () => healedListeners.delete(listener);
}

/** A request never reached the studio: say so, and ask again until it answers. */
export function reportLost(): void {
  reportDown('lost');
}

/** The studio is there but does not take this page's session: say so, and ask again until it does. */
export function reportRefused(): void {
  reportDown('refused');
}

function reportDown(connection: 'lost' | 'refused'): void {
  const before = useConnection.getState().connection;
  if (before === connection) return;
  useConnection.setState({ connection, retries: 0 });
  if (!isDown(before)) schedule();
}

const isDown = (connection: Connection): boolean => connection === 'lost' || connection === 'refused';

/** The studio answered. */
export function reportUp(): void {
  if (!isDown(useConnection.getState().connection)) return;
  clearTimeout(timer);
  useConnection.setState({ connection: 'healed' });
  for (const listener of healedListeners) listener();
  timer = setTimeout(() => useConnection.setState({ connection: 'up' }), HEALED_FOR_MS);
}

/** Asks at once (the banner's button). */
export async function retryNow(): Promise<void> {
  clearTimeout(timer);
  if (!ask || !isDown(useConnection.getState().connection)) return;
  // The probe goes through the same fetch, which reports lost or up by itself.
  await ask().catch(() => undefined);
  if (!isDown(useConnection.getState().connection)) return;
  useConnection.setState(({ retries }) => ({ retries: retries + 1 }));
  schedule();
}

function schedule(): void {
  const { retries } = useConnection.getState();
  clearTimeout(timer);
  timer = setTimeout(() => void retryNow(), RETRY_MS[Math.min(retries, RETRY_MS.length - 1)]);
}
