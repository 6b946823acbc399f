/** Hands a text to the browser as a file to keep, as it is. */
export function saveText(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the address by then, however slow the disk is.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The same for texts in which people are named: a table begins with a byte order mark, or spreadsheets read them as Latin-1. */
export function download(name: string, type: 'application/json' | 'text/csv', text: string): void {
  saveText(name, type, type === 'text/csv' ? `\ufeff${text}` : text);
}

/** `agreement-gimp-2026-11-22.csv`: what, of which software, when; safe as a file's name on every system. */
export function downloadName(what: string, software: string | null, day: Date, ending: 'csv' | 'json'): string {
  const parts = [what, ...(software === null ? [] : [software]), day.toISOString().slice(0, 10)];
  return `${parts.map((part) => part.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')).join('-')}.${ending}`;
}
