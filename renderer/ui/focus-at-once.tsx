import { type ReactNode, useLayoutEffect, useRef } from 'react';

/** In a dialog or a menu: takes the focus as soon as it is there (`data-autofocus`, else its first control), and gives it back. */
export function FocusAtOnce(): ReactNode {
  const mark = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const body = mark.current?.parentElement;
    const layer = body?.closest('[role="dialog"], [role="menu"]');
    if (!body || !(layer instanceof HTMLElement)) return;
    const before = document.activeElement;
    // Mantine's timer focuses what has this attribute: what has the focus by then is to keep it.
    const keep = ({ target }: FocusEvent): void => {
      for (const other of layer.querySelectorAll('[data-autofocus]')) other.removeAttribute('data-autofocus');
      if (target instanceof HTMLElement) target.setAttribute('data-autofocus', 'true');
    };
    layer.addEventListener('focusin', keep);
    const first = layer.querySelector<HTMLElement>('[data-autofocus]') ?? firstControl(body) ?? firstControl(layer);
    (first ?? layer).focus({ preventScroll: true });
    return () => {
      layer.removeEventListener('focusin', keep);
      // Whoever closed it may have given the focus to another place already.
      if (layer.contains(document.activeElement) && before instanceof HTMLElement && before.isConnected) {
        before.focus({ preventScroll: true });
      }
    };
  }, []);
  return <span ref={mark} hidden />;
}

function firstControl(within: HTMLElement): HTMLElement | undefined {
  const controls = within.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [tabindex]');
  const isOffered = (one: HTMLElement): boolean => one.tabIndex >= 0 || one.matches('[role^="menuitem"]');
  return [...controls].find((one) => isOffered(one) && !one.matches(':disabled') && one.offsetParent !== null);
}
