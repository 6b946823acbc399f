import { isUnseen } from '../actions/unseen.ts';
import type { ExportAction } from '../export/model.ts';

/**
 * How a step of a skill is done, in lines that a program can read too: what the hand does, where, and the way of a drag. Places are
 * px of the picture before; the element's name says more, wherever it is now.
 */
export function actLines(exported: ExportAction): string[] {
  const { positions, beforeImage, element, action } = exported;
  const box = element?.box ?? null;
  const isPointed = action.kind !== 'type' && action.kind !== 'press' && action.kind !== 'wait';
  return [
    `- Do: ${doneWords(exported)}`,
    ...(isPointed && positions && beforeImage ? placeLines(exported, positions, beforeImage) : []),
    ...(isPointed && box ? [`- Box: ${box.x}, ${box.y}, ${box.width} x ${box.height}`] : []),
  ];
}

/** A drag's way is told by so many points at most. */
const MOST_POINTS = 30;

function placeLines(
  { action }: ExportAction,
  { start, end }: NonNullable<ExportAction['positions']>,
  { width, height, origin }: NonNullable<ExportAction['beforeImage']>,
): string[] {
  const to = action.kind === 'drag' ? ` to ${end.join(', ')}` : '';
  const place = `- Place: ${start.join(', ')}${to}, in a picture of ${width} x ${height}`;
  const path = action.kind === 'drag' ? (action.path ?? []) : [];
  if (path.length <= 2) return [place];
  const every = Math.ceil(path.length / MOST_POINTS);
  const shown = path.filter((_, at) => at % every === 0 || at === path.length - 1);
  return [place, `- Way: ${shown.map(([x, y]) => `${x - origin.x}, ${y - origin.y}`).join('; ')}`];
}

function doneWords({ action }: ExportAction): string {
  const { kind, count, modifiers, holdMs, start, end, scroll } = action;
  const button = action.button === null || action.button === 'left' ? '' : ` with the ${action.button} button`;
  const held = modifiers.length > 0 ? `, holding ${keyWords(modifiers)}` : '';
  const times = count > 1 ? `, ${count} times` : '';
  if (isUnseen(action)) return 'not known';
  switch (kind) {
    case 'click':
      return `click${button}${times}${holdMs === null ? '' : `, held for ${holdMs} ms`}${held}`;
    case 'drag':
      return `drag${button}${held}`;
    case 'scroll':
      return `scroll${turns(scroll?.dy ?? 0, 'down', 'up')}${turns(scroll?.dx ?? 0, 'right', 'left')}${held}`;
    case 'hover':
      return 'point';
    case 'wait':
      return `wait ${Math.round((end.t - start.t) / 1e5) / 10} s`;
    case 'press':
      return `press ${keyWords(action.keys ?? [])}${times}`;
    case 'type':
      return 'type';
  }
}

/** The wheel is turned in whole notches. */
const turns = (by: number, forward: string, back: string): string =>
  by === 0 ? '' : ` ${Math.max(1, Math.round(Math.abs(by)))} ${by > 0 ? forward : back}`;

/** Each key as code: one of them may be a plus. */
const keyWords = (keys: readonly string[]): string =>
  keys.map((key) => (key.includes('`') ? `\`\` ${key} \`\`` : `\`${key}\``)).join(' + ');
