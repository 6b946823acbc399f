/** The address if it is one that a page may link to (http or https), else null: a `javascript:` one is only text. */
export function safeLink(text: string): string | null {
  try {
    const url = new URL(text.trim());
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
  } catch {
    return null;
  }
}
