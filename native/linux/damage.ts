import { EVENT_BYTES, type XDisplay, x11, xdamage } from './x11.ts';

/** Rows of the root window that were painted since the last look, as the server reports them; null: none. */
type DamageWatch = { look(): { from: number; to: number } | null };

const REPORT_BOUNDING_BOX = 2;
/** In an XDamageNotifyEvent (64-bit) the damaged rectangle `area` is at 64. */
const AREA_Y = 66;
const AREA_HEIGHT = 70;

/**
 * Watches the root window by the X Damage extension (V2): the server itself says when nothing was painted, so a still
 * screen costs one round trip a tick. Null where the server has no such extension.
 */
export function watchDamage(display: XDisplay, root: number): DamageWatch | null {
  const eventBase: number[] = [0];
  if (xdamage().query(display, eventBase, [0]) === 0) return null;
  const damage = xdamage().create(display, root, REPORT_BOUNDING_BOX);
  const notify = eventBase[0] ?? 0;
  const event = new Uint8Array(EVENT_BYTES);
  const view = new DataView(event.buffer);
  return {
    look() {
      const x = x11();
      // The reply of a round trip comes after every event that the server sent before it.
      x.sync(display, 0);
      let from = Number.POSITIVE_INFINITY;
      let to = Number.NEGATIVE_INFINITY;
      while (x.pending(display) > 0) {
        x.nextEvent(display, event);
        if ((view.getInt32(0, true) & 0x7f) !== notify) continue;
        const y = view.getInt16(AREA_Y, true);
        from = Math.min(from, y);
        to = Math.max(to, y + view.getUint16(AREA_HEIGHT, true));
      }
      if (to < from) return null;
      // Cleared before the screen is read: what is painted from now on is reported anew.
      xdamage().subtract(display, damage, 0, 0);
      return { from, to };
    },
  };
}
