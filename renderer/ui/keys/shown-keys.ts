/** Longer than a chord with Alt is held before its other key, so that nothing flickers. */
const HELD_MS = 300;

/** Every cap is in view from now on, or only the main ones. What is shown stands on the page's root, for the style sheet. */
export function showAllKeys(always: boolean): void {
  const root = document.documentElement;
  if (always) root.dataset.keys = 'always';
  else if (root.dataset.keys === 'always') delete root.dataset.keys;
}

/** Shows every cap while Alt is held by itself. Gives the way to stop. */
export function showKeysWhileAltIsHeld(): () => void {
  const root = document.documentElement;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const hide = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (root.dataset.keys === 'held') delete root.dataset.keys;
  };
  const onDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Alt' || event.ctrlKey || event.shiftKey || event.metaKey) {
      hide();
      return;
    }
    if (event.repeat || timer || root.dataset.keys !== undefined) return;
    timer = setTimeout(() => {
      timer = null;
      root.dataset.keys ??= 'held';
    }, HELD_MS);
  };
  const onUp = (event: KeyboardEvent): void => {
    // Otherwise the browser takes the key for its own menu.
    if (event.key === 'Alt' && root.dataset.keys === 'held') event.preventDefault();
    hide();
  };
  window.addEventListener('keydown', onDown, { capture: true });
  window.addEventListener('keyup', onUp, { capture: true });
  window.addEventListener('blur', hide);
  return () => {
    hide();
    window.removeEventListener('keydown', onDown, { capture: true });
    window.removeEventListener('keyup', onUp, { capture: true });
    window.removeEventListener('blur', hide);
  };
}
