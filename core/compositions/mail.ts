import type { Happening } from '../../schemas/composition.ts';

/** A mail as it lies in a Maildir (RFC 5322). `at`: ms since 1970, without a zone. */
export function mailText(
  { from, to, subject, text }: Omit<Happening & { kind: 'mail' }, 'kind' | 'folder'>,
  id: string,
  at: number,
): string {
  const head = [
    `From: ${encoded(from)}`,
    `To: ${encoded(to)}`,
    `Subject: ${encoded(subject)}`,
    `Date: ${new Date(at).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}.${at}@stage.invalid>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
  ];
  return `${[...head, '', ...text.split('\n')].join('\n')}\n`;
}

/** Words that are not all ASCII, as a head may hold them (RFC 2047); an address beside them stays. */
function encoded(words: string): string {
  const begin = words.endsWith('>') ? words.lastIndexOf('<') : -1;
  const name = begin < 0 ? words : words.slice(0, begin).trimEnd();
  const address = words.slice(name.length);
  if (/^[\x20-\x7e]*$/.test(name)) return words;
  // An encoded word has at most 75 characters: 45 bytes of text.
  const parts: string[] = [];
  let part = '';
  for (const letter of name) {
    if (new TextEncoder().encode(part + letter).length > MOST_BYTES) {
      parts.push(part);
      part = '';
    }
    part += letter;
  }
  return `${[...parts, part].map(encodedWord).join('\n ')}${address}`;
}
const MOST_BYTES = 42;

const encodedWord = (text: string): string =>
  `=?utf-8?B?${btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))}?=`;
