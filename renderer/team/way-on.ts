/** The page that was asked for before somebody had to sign in; null: none, or an address that leads elsewhere. */
export function wayOn(search: string): string | null {
  const to = new URLSearchParams(search).get('to');
  // `//other.example` and `/\other.example` are addresses of another server.
  return to !== null && /^\/(?![/\\])/.test(to) ? to : null;
}
