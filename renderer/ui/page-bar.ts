import { useLayoutEffect, useState } from 'react';

/** The id of the room in the top bar for a page's own bar. Where one stands the page has a single bar. */
export const PAGE_BAR = 'page-bar';

/** The bar's element once it is there; null before, and where a page is shown without the frame. */
export function usePageBar(): HTMLElement | null {
  const [room, setRoom] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => setRoom(document.getElementById(PAGE_BAR)), []);
  return room;
}
