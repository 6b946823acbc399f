/**
 * XML of office documents, piece by piece. Only what such files need: no document type, so that no entity can be made that
 * names a file or grows without end; comments and instructions are passed over.
 */

export type XmlPiece =
  | { is: 'open'; name: string; attributes: string; empty: boolean }
  | { is: 'close'; name: string }
  | { is: 'text'; text: string };

/** Something that is no such XML; the message is a part of a sentence. */
export class XmlError extends Error {}

/** Gives the pieces in their order. Throws XmlError. Linear in the text. */
export function* xmlPieces(source: string): Generator<XmlPiece> {
  let at = 0;
  while (at < source.length) {
    const tag = source.indexOf('<', at);
    const textEnd = tag < 0 ? source.length : tag;
    if (textEnd > at) yield { is: 'text', text: decoded(source.slice(at, textEnd)) };
    if (tag < 0) return;
    if (source.startsWith('<!--', tag)) at = after(source, '-->', tag + 4);
    else if (source.startsWith('<![CDATA[', tag)) {
      at = after(source, ']]>', tag + 9);
      yield { is: 'text', text: source.slice(tag + 9, at - 3) };
    } else if (source.startsWith('<?', tag)) at = after(source, '?>', tag + 2);
    else if (source.startsWith('<!', tag)) throw new XmlError('it declares a document type, which is not read');
    else {
      const end = tagEnd(source, tag);
      yield piece(source.slice(tag + 1, end));
      at = end + 1;
    }
  }
}

function piece(inside: string): XmlPiece {
  if (inside.startsWith('/')) return { is: 'close', name: inside.slice(1).trim() };
  const empty = inside.endsWith('/');
  const body = empty ? inside.slice(0, -1) : inside;
  const blank = body.search(/\s/);
  const name = blank < 0 ? body : body.slice(0, blank);
  return { is: 'open', name, attributes: blank < 0 ? '' : body.slice(blank), empty };
}

function after(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from);
  if (found < 0) throw new XmlError('it ends in the middle');
  return found + mark.length;
}

/** A `>` in quotes does not end a tag. */
function tagEnd(source: string, from: number): number {
  let quote = '';
  for (let at = from + 1; at < source.length; at++) {
    const sign = source[at]!;
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '>') return at;
  }
  throw new XmlError('it ends in the middle');
}

/** The value of an attribute by its full name, as the text of a tag has it; null when it has none. */
export function attribute(attributes: string, name: string): string | null {
  // From one to the next without a search: what is no attribute ends it.
  const next = /\s*([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
  for (let found = next.exec(attributes); found; found = next.exec(attributes))
    if (found[1] === name) return decoded(found[2] ?? found[3] ?? '');
  return null;
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|([A-Za-z]{1,10}));/g, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
