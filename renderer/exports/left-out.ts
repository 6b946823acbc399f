import type { ExportPreview } from '../../schemas/api/datasets.ts';
import { tr } from '../language/tr.ts';

type LeftOut = ExportPreview['leftOut'][number];
type Reason = { reason: string; from: string; items: string[] };

const OF_RECORDING = 'recording ';

/** The items left out, by reason, the most frequent first: a reader asks why before which. */
export function byReason(leftOut: readonly LeftOut[]): Reason[] {
  const groups = new Map<string, Reason>();
  for (const one of leftOut) {
    const { reason } = one;
    // Each recording of a task is told by itself, with its id; why is the same for many.
    const recording = one.from.startsWith(OF_RECORDING) ? one.from.slice(OF_RECORDING.length) : null;
    const from = recording === null ? one.from : 'recordings';
    const item = recording === null ? one.item : `${one.item} (${recording})`;
    const key = `${from}\n${reason}`;
    const group = groups.get(key);
    if (group) group.items.push(item);
    else groups.set(key, { reason, from, items: [item] });
  }
  return [...groups.values()].sort((a, b) => b.items.length - a.items.length);
}

export type Picked = Readonly<Record<string, { parts: readonly string[]; options: Readonly<Record<string, string>> }>>;

/** The formats of a choice as the API takes them, in the order of the list. */
export function wishedFormats(
  picked: Picked,
  formats: readonly { name: string; parts: readonly unknown[] }[],
): { name: string; parts?: string[]; options: Record<string, string> }[] {
  return formats.flatMap(({ name, parts }) => {
    const choice = picked[name];
    if (!choice) return [];
    return [{ name, ...(parts.length > 0 && { parts: [...choice.parts] }), options: { ...choice.options } }];
  });
}

/** Why an export cannot be asked for yet, in words; null when it can. */
export function faultOf(
  picked: Picked,
  formats: readonly { name: string; title: string; parts: readonly unknown[] }[],
): string | null {
  const chosen = formats.filter(({ name }) => picked[name]);
  if (chosen.length === 0) return tr('Choose at least one format.');
  const bare = chosen.find(({ name, parts }) => parts.length > 0 && picked[name]?.parts.length === 0);
  return bare ? tr('Choose at least one part of {title}.', { title: bare.title }) : null;
}
