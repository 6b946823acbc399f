import type { KeyboardEvent } from 'react';

/** Ctrl+Enter (Command on a Mac) sends a form from anywhere in it, also from a field of several lines. */
export function submitOnModEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

/** Takes the focus to a select and opens it, as a click does: its key then needs no second one. */
export function openSelect(input: HTMLInputElement | null): void {
  input?.focus();
  input?.click();
}
