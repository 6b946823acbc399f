import { useState } from 'react';
import type { Preflight } from '../../schemas/api/models.ts';
import type { Rect } from '../../schemas/events.ts';
import { tr } from '../language/tr.ts';
import { middleOf, regionProblem } from './geometry.ts';
import type { Kind } from './target.tsx';

/**
 * What is chosen to be recorded: a display, a region or a window (`likely` until somebody chooses), and what is wrong with
 * the choice (null: nothing).
 */
export function useTarget({ displays, windows }: Pick<Preflight, 'displays' | 'windows'>, likely: string | null) {
  const primary = displays.find((one) => one.primary) ?? displays[0];
  const [kind, setKind] = useState<Kind>('display');
  const [display, setDisplay] = useState<number | null>(primary?.id ?? null);
  const [region, setRegion] = useState<Rect>(primary ? middleOf(primary) : { x: 0, y: 0, width: 640, height: 480 });
  const [picked, setWindow] = useState<string | null>(null);
  const window = picked ?? likely;

  function problemOf(): string | null {
    if (kind === 'display') return displays.some((one) => one.id === display) ? null : tr('Choose a display.');
    if (kind === 'region') return regionProblem(region, displays);
    return windows.some((one) => one.title === window) ? null : tr('Choose a window.');
  }
  const target =
    kind === 'display'
      ? ({ kind, display } as const)
      : kind === 'region'
        ? ({ kind, region } as const)
        : ({ kind, title: window ?? '' } as const);
  return { kind, setKind, display, setDisplay, region, setRegion, window, setWindow, target, problem: problemOf() };
}
