import { isDeviceName } from '../../schemas/device-names.ts';
import { tr } from '../language/tr.ts';

/**
 * Whether a name will be taken, said while it is typed. The schemas decide (schemas/dataset.ts); they stay out of the
 * first page because zod is large, and a test holds both to the same answers.
 */

const DEVICE_FAULT = tr('Windows keeps that name for a device. Choose another.');

/** The fault of a tag; null when it will be taken. */
export function tagFault(text: string): string | null {
  const tag = text.trim();
  if (tag.length > 50) return tr('A tag has at most 50 letters.');
  return tag !== '' && /[\p{C},]/u.test(tag) ? tr('A tag has no comma and no control character.') : null;
}

/** The fault of a split's name; null when it will be taken. */
export function splitFault(text: string): string | null {
  const split = text.trim();
  if (/^[a-z][a-z0-9_-]{0,39}$/.test(split)) return isDeviceName(split) ? DEVICE_FAULT : null;
  return 'A split is called by small letters, digits, “-” and “_”, a letter first: train.';
}

/** A name for the next version: the newest one's, its last number counted on until no version has it; `v1.0` at first. */
export function nextVersion(names: readonly string[]): string {
  const newest = names[0];
  if (newest === undefined) return 'v1.0';
  const [, begin = '', number = '', end = ''] = /^(.*?)(\d{1,9})(\D*)$/.exec(newest) ?? [null, `${newest}-`, '1', ''];
  for (let n = Number(number) + 1; ; n++) {
    const name = `${begin}${n}${end}`;
    if (!names.includes(name)) return name;
  }
}

/** The fault of a version's name; null when it will be taken. */
export function versionFault(text: string): string | null {
  const name = text.trim();
  if (/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,58}[A-Za-z0-9_-])?$/.test(name)) return isDeviceName(name) ? DEVICE_FAULT : null;
  return 'A version is called by letters, digits, “.”, “-” and “_”, up to 60: v1.0.';
}
