import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import type { Display, Rect } from '../../schemas/events.ts';
import { tr } from '../language/tr.ts';
import { fitMap, regionBetween, toDesktop, toMap } from './geometry.ts';
import classes from './page.module.css';

type Props = {
  displays: readonly Display[];
  /** CSS px. */
  mostHeight: number;
  /** A display's picture, where there is one. */
  pictureOf: (display: Display) => string | null;
  chosen: number | null;
  /** Drawn on the map: the region, or where the chosen window is. */
  region: Rect | null;
  /** Null: displays are only drawn. */
  onChoose: ((id: number) => void) | null;
  /** Null: the region cannot be dragged. The numbers beside do the same by keyboard. */
  onRegion: ((region: Rect) => void) | null;
};

/** The displays in proportion, as the system has them side by side. */
export function DisplayMap({ displays, mostHeight, pictureOf, chosen, region, onChoose, onRegion }: Props): ReactNode {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const from = useRef<{ x: number; y: number } | null>(null);
  const map = fitMap(displays, Math.max(width, 120), mostHeight);

  const position = (event: PointerEvent<HTMLElement>): { x: number; y: number } => {
    const box = event.currentTarget.getBoundingClientRect();
    return toDesktop(map, event.clientX - box.left, event.clientY - box.top);
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    if (!onRegion || event.button !== 0) return;
    from.current = position(event);
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    if (!onRegion || !from.current) return;
    const drawn = regionBetween(from.current, position(event));
    if (drawn) onRegion(drawn);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined || !onChoose) return;
    const at = displays.findIndex((one) => one.id === chosen);
    const next = displays[(at + step + displays.length) % displays.length];
    if (!next) return;
    event.preventDefault();
    onChoose(next.id);
    event.currentTarget.querySelector<HTMLElement>(`[data-display="${next.id}"]`)?.focus();
  };
  const of = (rect: Rect) => toMap(map, rect);
  return (
    <div ref={ref} className={classes.mapHolder}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its role is one of two, which the rule cannot read */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: the same */}
      <div
        className={classes.map}
        style={{ width: map.width, height: map.height }}
        data-drawing={onRegion !== null}
        role={onChoose ? 'radiogroup' : 'group'}
        aria-label={onChoose ? tr('Display') : tr('Displays')}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={() => {
          from.current = null;
        }}
        onKeyDown={onKeyDown}
      >
        {displays.map((display) => {
          const size = `${display.name}, ${display.width} × ${display.height}`;
          const label = display.primary ? tr('{size}, primary', { size }) : size;
          const picture = pictureOf(display);
          const inside = (
            <>
              {picture && <img className={classes.displayPicture} src={picture} alt="" />}
              <span className={classes.displayLabel} data-over={picture !== null}>
                <span className={classes.displayName}>
                  {display.id} · {display.name}
                </span>
                <span className={classes.displaySize}>
                  {display.scale === 1
                    ? `${display.width} × ${display.height}`
                    : tr('{width} × {height} at {percent} %', {
                        width: display.width,
                        height: display.height,
                        percent: Math.round(display.scale * 100),
                      })}
                </span>
              </span>
            </>
          );
          if (!onChoose) {
            return (
              <div key={display.id} className={classes.display} style={of(display)} title={label}>
                {inside}
              </div>
            );
          }
          const isChosen = display.id === chosen;
          return (
            // biome-ignore lint/a11y/useSemanticElements: an input cannot be drawn as a display
            <button
              key={display.id}
              type="button"
              role="radio"
              aria-checked={isChosen}
              aria-label={label}
              tabIndex={isChosen || (chosen === null && display === displays[0]) ? 0 : -1}
              data-display={display.id}
              className={classes.display}
              style={of(display)}
              onClick={() => onChoose(display.id)}
            >
              {inside}
            </button>
          );
        })}
        {region && region.width > 0 && region.height > 0 && (
          <div className={classes.region} style={of(region)} aria-hidden />
        )}
      </div>
    </div>
  );
}
