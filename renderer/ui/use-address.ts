import { useEffect, useLayoutEffect, useRef } from 'react';
import { useSearch } from 'wouter';
import { navigate, useLocationProperty } from 'wouter/use-browser-location';
import { type AddressParts, isBare, partsOf, searchWith } from './address.ts';

/** Browsers refuse an address that is written hundreds of times in a few seconds, as a key that is held down would. */
const WAIT_MS = 200;
/** Writing an address takes 5 to 10 ms of the page, which what is shown next does not wait for. */
const AFTER_PAINT_MS = 50;

/** One part of the address' search. The caller is drawn anew when this part changes, not with each step in the address. */
export function useAddressPart(name: string): string | null {
  return useLocationProperty(() => new URLSearchParams(window.location.search).get(name));
}

const NEVER = (): boolean => false;

/**
 * Keeps what a page shows in its address, so that back, reload and a copied link show it again. `parts` is the view as it
 * is now (null: as at first), `take` makes the view what an address says. A bare address changes nothing: coming back by
 * a plain link finds the page as it was left. `jumped` says, and forgets, whether the view went somewhere else since it was
 * last asked: then "back" leads to where it was; else the address of the view takes the place of the one before.
 */
export function useAddress(
  parts: AddressParts,
  take: (parts: AddressParts) => void,
  jumped: () => boolean = NEVER,
): void {
  const search = useSearch();
  const names = Object.keys(parts);
  const given = partsOf(search, names);
  const [mine, theirs] = [JSON.stringify(parts), JSON.stringify(given)];
  const latest = useRef({ parts, take, given, jumped });
  latest.current = { parts, take, given, jumped };
  const agreed = useRef<string | null>(null);
  const pending = useRef<(() => void) | null>(null);
  const written = useRef(Number.NEGATIVE_INFINITY);
  const page = useRef(window.location.pathname);

  useLayoutEffect(() => {
    if (agreed.current !== theirs) {
      agreed.current = theirs;
      if (theirs !== mine && !isBare(latest.current.given)) {
        latest.current.take(latest.current.given);
        return;
      }
    }
    if (mine === theirs) {
      // Where it went to is where the address had led it.
      latest.current.jumped();
      return;
    }
    const write = (): void => {
      pending.current = null;
      // Another page's address is not this one's to change.
      if (window.location.pathname !== page.current) return;
      written.current = performance.now();
      agreed.current = mine;
      const now = searchWith(window.location.search, latest.current.parts);
      const replace = !latest.current.jumped();
      navigate(page.current + (now === '' ? '' : `?${now}`), { replace, state: replace ? history.state : null });
    };
    pending.current = write;
    const timer = setTimeout(write, performance.now() - written.current > WAIT_MS ? AFTER_PAINT_MS : WAIT_MS);
    return () => {
      clearTimeout(timer);
      pending.current = null;
    };
  }, [mine, theirs]);

  useEffect(() => {
    // Whatever is done next may leave the page: the address is whole before.
    const flush = (event: Event): void => {
      if (!(event instanceof KeyboardEvent && event.repeat)) pending.current?.();
    };
    const acts = ['keydown', 'pointerdown', 'pagehide'];
    for (const act of acts) addEventListener(act, flush, { capture: true });
    return () => {
      for (const act of acts) removeEventListener(act, flush, { capture: true });
    };
  }, []);
}
