/** A text that Windows writes into a buffer of so many UTF-16 units; `ask` gives how many it wrote. */
export function wideText(units: number, ask: (text: Buffer, units: number) => number): string {
  const text = Buffer.alloc(units * 2);
  return text.toString('utf16le', 0, Math.max(0, ask(text, units)) * 2);
}
