import { tr } from '../language/tr.ts';

/** Kinds of actions and of questions, by their ids. */
const KINDS: Readonly<Record<string, string>> = {
  click: tr('click'),
  drag: tr('drag'),
  scroll: tr('scroll'),
  type: tr('type'),
  press: tr('press'),
  hover: tr('hover'),
  wait: tr('wait'),
  keys: tr('keys'),
  mid: tr('mid plan'),
  high: tr('high plan'),
};

/** An id of a kind in words; of one that is not known here, itself. */
export const kindName = (kind: string): string => KINDS[kind] ?? kind;

/** How many of each kind: `12 click, 2 drag`. */
export const kindCounts = (counts: readonly (readonly [kind: string, n: number])[]): string =>
  counts.map(([kind, n]) => tr('{n, number} {kind}', { n, kind: kindName(kind) })).join(', ');
