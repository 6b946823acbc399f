import { memo, type ReactNode, useMemo, useRef } from 'react';
import { gapsOfStep } from '../../../core/annotate/missing.ts';
import { filledIn } from '../../../core/annotate/proposals/filled.ts';
import type { StepView } from '../../../core/annotate/view.ts';
import type { Rect } from '../../../schemas/events.ts';
import { tr } from '../../language/tr.ts';
import type { Actions } from '../actions.ts';
import { useTools } from '../context.ts';
import { SOURCE_WORDS } from '../form/proposals.tsx';
import { pictureRect } from '../geometry.ts';
import { KIND_COLORS, KindIcon, kindWords } from '../kind.tsx';
import { useCrop } from '../list/crop-images.tsx';
import { cropAround } from '../list/crops.ts';
import listClasses from '../list/list.module.css';
import { STATE_WORDS } from '../list/marks.ts';
import { placeOfStep } from '../stage/target.ts';
import { useWork } from '../store.ts';
import classes from './sheet.module.css';

/** The least that the picture of a tile has, CSS px, and its shape. */
export const TILE = { width: 224, height: 126 };
/** A small box keeps this much of the screen around it, px: its words can be read. */
const LEAST = 260;

type TileProps = {
  step: StepView;
  place: number;
  column: number;
  /** CSS px. */
  width: number;
  current: boolean;
  chosen: boolean;
  actions: Actions;
  onOpen: (place: number) => void;
};

// Numbers and kinds are drawn by the style sheet from data attributes, as the list's.
/** A step's box in the part of the screen around it, with what it is called and where the box comes from. */
export const Tile = memo(function Tile({
  step,
  place,
  column,
  width,
  current,
  chosen,
  actions,
  onOpen,
}: TileProps): ReactNode {
  const { label, target, state } = step;
  const name = label?.element ?? '';
  const draft = useWork(({ draft }) => (draft?.action === step.step.id && draft.role === 'target' ? draft.box : null));
  const adjusting = useWork(({ mode }) => current && mode.kind === 'adjust');
  const proposed = useWork(({ proposals }) => filledIn(step, proposals.get(step.step.id)));
  const box = draft ?? target?.box ?? null;
  const lacks = gapsOfStep(step).includes('box');
  const from = box ? SOURCE_WORDS[target?.source ?? 'hand'] : proposed ? tr('suggested') : lacks ? tr('no box') : null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a cell of the sheet's grid, of which only a part is there.
    <div
      id={`tile-${place}`}
      role="gridcell"
      aria-colindex={column}
      aria-selected={chosen}
      aria-current={current ? 'step' : undefined}
      aria-label={tr('Step {number}: {name}, {box}, {state}', {
        number: place + 1,
        name: name || step.narration.slice(0, 160),
        box: from ?? tr('no box'),
        state: STATE_WORDS[state],
      })}
      tabIndex={-1}
      style={{ width }}
      className={classes.tile}
      data-current={current}
      data-chosen={chosen}
      data-state={state}
      data-action={step.step.id}
      data-adjusting={adjusting || undefined}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => actions.go(place)}
      onDoubleClick={() => onOpen(place)}
      onKeyDown={undefined}
    >
      <TilePicture step={step} box={box} proposed={box ? null : (proposed?.box ?? null)} />
      <span className={classes.words}>
        <span className={listClasses.dot} data-state={state} />
        <span className={classes.number} data-text={place + 1} />
        <span className={classes.name} data-empty={name === ''} title={name || step.narration.slice(0, 600)}>
          {name || step.narration.slice(0, 160)}
        </span>
      </span>
      <span className={classes.more} data-lacks={(lacks && box === null) || undefined}>
        <KindIcon kind={step.step.kind} />
        <span className={classes.moreWords} data-text={[kindWords(step.step), from].filter(Boolean).join(' · ')} />
      </span>
    </div>
  );
});

/** The box and the recorded point over the part of the picture around them; a step that has neither shows its kind. */
function TilePicture(props: { step: StepView; box: Rect | null; proposed: Rect | null }): ReactNode {
  const { step, box, proposed } = props;
  const { frames } = useTools();
  const opened = useWork((state) => state.opened);
  const point = useMemo(() => placeOfStep(opened, { ...step, target: null }), [opened, step]);
  const rect = useSteadyCrop(step, box ?? proposed);
  const address = useCrop(frames[step.before]?.[0], rect);
  return (
    <span className={classes.picture} style={{ borderColor: KIND_COLORS[step.step.kind] }}>
      {rect === null && <KindIcon kind={step.step.kind} />}
      {rect && address && <img src={address} alt="" data-testid="tile-picture" />}
      {rect && address && (
        <svg
          className={classes.marks}
          viewBox={`${rect.x} ${rect.y} ${rect.width} ${rect.height}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {[box, proposed].map(
            (one, index) =>
              one && (
                <g key={index === 0 ? 'box' : 'proposed'} data-box={index === 0 ? 'target' : 'filled'}>
                  <rect {...one} className={classes.halo} />
                  <rect {...one} className={classes.box} data-proposed={index === 1 || undefined} />
                </g>
              ),
          )}
          {point && (
            <circle
              cx={point.x + 0.5}
              cy={point.y + 0.5}
              r={(rect.width / TILE.width) * 3.5}
              className={classes.point}
            />
          )}
        </svg>
      )}
    </span>
  );
}

/**
 * The part of the picture that is shown, kept while the box stays well inside it: a box that is nudged moves, and not the
 * screen behind it.
 */
function useSteadyCrop(step: StepView, box: Rect | null): Rect | null {
  const opened = useWork((state) => state.opened);
  const kept = useRef<{ before: number; rect: Rect } | null>(null);
  const picture = pictureRect(opened, step.before);
  const around = box ?? placeOfStep(opened, step);
  if (!picture || !around) return null;
  const last = kept.current;
  if (last?.before === step.before && isSeenIn(around, last.rect)) return last.rect;
  const rect = cropAround(around, picture, TILE, Math.max(LEAST, around.width * 1.6));
  kept.current = { before: step.before, rect };
  return rect;
}

/** Inside, with the screen around it to be judged by, and not lost in it. */
const isSeenIn = (box: Rect, rect: Rect): boolean =>
  box.x >= rect.x &&
  box.y >= rect.y &&
  box.x + box.width <= rect.x + rect.width &&
  box.y + box.height <= rect.y + rect.height &&
  (rect.width <= LEAST || box.width * 6 >= rect.width || box.height * 6 >= rect.height);
