import type { Check } from '../../schemas/checks.ts';

/** A check as a sentence for whoever does the task. */
export function checkWords(check: Check): string {
  const { id, kind, ...fields } = check;
  const more = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  const where = 'path' in check ? `the file ~/${check.path}` : `what is looked at (${kind})`;
  if (kind === 'file')
    return `${where} is ${check.is === 'absent' ? 'not there' : 'there'}${check.equals ? `, byte for byte as ${check.equals}` : ''} (${id})`;
  const said = more
    .filter(([name]) => name !== 'path' && name !== 'weight')
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return `${where}, by a check of the kind ${kind}: ${said.join('; ').slice(0, 400)} (${id})`;
}
