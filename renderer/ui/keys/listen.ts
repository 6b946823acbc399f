import { belongsToText, type Chord, chordOf } from './chord.ts';
import { type ActiveCommand, commandFor, useKeys } from './store.ts';

/** Hears every key of the page once and does the command it means. Gives the way to stop. */
export function listenToKeys(): () => void {
  // A menu or dialog may be closed by the key before the document hears it: what was open is asked before anything else.
  let before: { event: KeyboardEvent; open: Open } | null = null;
  const onCapture = (event: KeyboardEvent): void => {
    before = { event, open: openNow() };
  };
  const onBubble = (event: KeyboardEvent): void => {
    onKeyDown(event, before?.event === event ? before.open : openNow());
    before = null;
  };
  window.addEventListener('keydown', onCapture, { capture: true });
  document.addEventListener('keydown', onBubble);
  return () => {
    window.removeEventListener('keydown', onCapture, { capture: true });
    document.removeEventListener('keydown', onBubble);
  };
}

/** Over the page: a dialog that takes every key, a menu or list of choices that Escape closes. */
type Open = { modal: boolean; popup: boolean };

const MODAL = '[role="dialog"][aria-modal="true"]';

const openNow = (): Open => ({
  modal: document.querySelector(MODAL) !== null,
  popup: document.querySelector('[aria-haspopup][aria-expanded="true"]') !== null,
});

function onKeyDown(event: KeyboardEvent, open: Open): void {
  // A control that used the key itself has said so.
  if (event.defaultPrevented) return;
  const chord = chordOf(event, useKeys.getState().mac);
  if (chord === null) return;
  const command = commandFor(chord);
  if (!command || !mayRun(command, chord, event, open)) return;
  event.preventDefault();
  command.run(event);
}

function mayRun(command: ActiveCommand, chord: Chord, event: KeyboardEvent, open: Open): boolean {
  if (event.repeat && !command.repeats) return false;
  const target = event.target instanceof Element ? event.target : null;
  if (!command.inDialogs && (open.modal || document.querySelector(MODAL))) return false;
  if (chord === 'Escape' && open.popup) return false;
  if (target && isField(target)) return command.inFields === true || !belongsToText(chord);
  if (target && hasItself(target, chord)) return command.inFields === true;
  return true;
}

/** A field that one types into. */
export function isField(target: Element): boolean {
  if (target instanceof HTMLElement && target.isContentEditable) return true;
  if (target instanceof HTMLTextAreaElement) return true;
  if (!(target instanceof HTMLInputElement)) return false;
  return !['checkbox', 'radio', 'button', 'submit', 'reset', 'range', 'color', 'file'].includes(target.type);
}

/** Keys that a control with the focus needs to be worked by keyboard. */
function hasItself(target: Element, chord: Chord): boolean {
  const role = target.getAttribute('role') ?? '';
  if (chord === 'Enter' || chord === 'Space') {
    return target.matches(
      'button, a[href], summary, select, input, [role="button"], [role="tab"], [role="menuitem"], [role="option"], [role="switch"]',
    );
  }
  if (/^(?:Shift\+)?(?:Arrow\w+|Home|End|PageUp|PageDown)$/.test(chord)) {
    return (
      [
        'menu',
        'menuitem',
        'menuitemcheckbox',
        'listbox',
        'option',
        'radio',
        'tab',
        'slider',
        'spinbutton',
        'combobox',
      ].includes(role) || target.matches('select, input[type="radio"], input[type="range"]')
    );
  }
  // A letter in an open menu or select jumps to the entry that begins with it.
  return (
    chord.length === 1 &&
    (['menu', 'menuitem', 'menuitemcheckbox', 'listbox', 'combobox'].includes(role) || target.matches('select'))
  );
}
