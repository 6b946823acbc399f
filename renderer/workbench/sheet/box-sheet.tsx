import { SegmentedControl } from '@mantine/core';
import { IconArrowBackUp, IconMaximize } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { tr } from '../../language/tr.ts';
import { useActions, useTools } from '../context.ts';
import { WithCrops } from '../list/crop-images.tsx';
import { KeyButton, keepFocus } from '../parts.tsx';
import { useWork, useWorkStore, type WorkState } from '../store.ts';
import classes from './sheet.module.css';
import { SHEET_OF, type SheetOf, shownIn } from './shown.ts';
import { TILE, Tile } from './tile.tsx';

const GAP_PX = 10;
/** Under a tile's picture are two lines of words, and a gap. */
const WORDS_PX = 48;

/**
 * Every step's box as a crop of its picture, many at once, each with what it is called: what is wrong among hundreds is seen
 * by looking. The step in hand is that of the list and the form, so every key means here what it means there. What needs the
 * large picture opens it, and Escape comes back to the same place. `top`: how far it was scrolled.
 */
export function BoxSheet({ top }: { top: RefObject<number> }): ReactNode {
  const store = useWorkStore();
  const { focus } = useTools();
  const actions = useActions();
  const steps = useWork((state) => state.doc.steps);
  const at = useWork((state) => state.at);
  const anchor = useWork((state) => state.anchor);
  const { of } = useWork((state) => state.sheet);
  const scroller = useRef<HTMLDivElement>(null);
  const { columns, width, measured } = useColumns(scroller);
  const rowPx = Math.round((width * TILE.height) / TILE.width) + WORDS_PX + GAP_PX;
  const shown = useMemo(() => shownIn(steps, of, at), [steps, of, at]);
  const rows = Math.ceil(shown.length / columns);
  const current = shown.indexOf(at);
  const row = current < 0 ? -1 : Math.floor(current / columns);

  const virtual = useVirtualizer({
    count: rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 1,
    initialOffset: () => top.current,
    useFlushSync: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows have another height when this changes.
  useLayoutEffect(() => virtual.measure(), [virtual, rowPx]);
  useLayoutEffect(() => {
    // Before it is known how high rows are, there is no such place.
    if (measured && scroller.current) scroller.current.scrollTop = top.current;
  }, [measured, top]);
  useEffect(() => {
    const list = scroller.current;
    if (!list || !measured || row < 0 || list.clientHeight === 0) return;
    if (row * rowPx < list.scrollTop) list.scrollTop = row * rowPx;
    else if ((row + 1) * rowPx > list.scrollTop + list.clientHeight)
      list.scrollTop = (row + 1) * rowPx + GAP_PX - list.clientHeight;
  }, [row, rowPx, measured]);
  useEffect(() => {
    const forget = focus.register('sheet', () => scroller.current);
    focus.go('list');
    return () => {
      forget();
      focus.go('list');
    };
  }, [focus]);
  useEffect(
    () =>
      store.subscribe((state) => {
        if (state.sheet.is === 'shown' && needsPicture(state))
          store.setState({ sheet: { ...state.sheet, is: 'left' } });
      }),
    [store],
  );

  const low = Math.min(at, anchor ?? at);
  const high = Math.max(at, anchor ?? at);
  return (
    <>
      <SheetBar shown={shown.length} />
      {/* biome-ignore lint/a11y/useSemanticElements: of a table that has hundreds of rows some are there, which <table> cannot say. */}
      <div
        ref={scroller}
        className={classes.sheet}
        role="grid"
        aria-label={tr('All boxes')}
        aria-rowcount={rows}
        aria-colcount={columns}
        aria-multiselectable="true"
        aria-activedescendant={current >= 0 ? `tile-${at}` : undefined}
        tabIndex={0}
        data-testid="sheet"
        onScroll={(event) => {
          top.current = event.currentTarget.scrollTop;
        }}
      >
        <div role="presentation" className={classes.all} style={{ height: virtual.getTotalSize() + GAP_PX }}>
          <WithCrops size={TILE}>
            {virtual.getVirtualItems().map((item) => (
              // biome-ignore lint/a11y/useSemanticElements: as above.
              // biome-ignore lint/a11y/useFocusableInteractive: the focus is on the sheet, which names the tile in hand.
              <div
                key={item.key}
                role="row"
                aria-rowindex={item.index + 1}
                className={classes.row}
                style={{ transform: `translateY(${item.start + GAP_PX}px)`, height: rowPx - GAP_PX }}
              >
                {shown.slice(item.index * columns, (item.index + 1) * columns).map((place, column) => (
                  <Tile
                    key={steps[place]!.step.id}
                    step={steps[place]!}
                    place={place}
                    column={column + 1}
                    width={width}
                    current={place === at}
                    chosen={place >= low && place <= high}
                    actions={actions}
                    onOpen={openFromSheet}
                  />
                ))}
              </div>
            ))}
          </WithCrops>
        </div>
      </div>
    </>
  );

  function openFromSheet(place: number): void {
    actions.go(place);
    store.setState((state) => ({ sheet: { ...state.sheet, is: 'left' } }));
  }
}

/** A corner or a place is chosen in the large picture, a film runs in it, and other frames are looked at there. */
const needsPicture = ({ mode, playing, looking, side, flipping }: WorkState): boolean =>
  mode.kind === 'cross' || mode.kind === 'pin' || playing !== null || looking !== null || side === 'after' || flipping;

/** As many columns as there is room for, which fill it; their number is kept where the keys that go up and down find it. */
function useColumns(scroller: RefObject<HTMLDivElement | null>): { columns: number; width: number; measured: boolean } {
  const store = useWorkStore();
  const [size, setSize] = useState({ columns: store.getState().sheet.columns, width: TILE.width, measured: false });
  useLayoutEffect(() => {
    const list = scroller.current;
    if (!list) return;
    const measure = (): void => {
      const room = list.clientWidth - GAP_PX;
      const columns = Math.max(Math.floor(room / (TILE.width + GAP_PX)), 1);
      setSize({ columns, width: Math.floor(room / columns) - GAP_PX, measured: true });
      store.setState(({ sheet }) => (sheet.columns === columns ? {} : { sheet: { ...sheet, columns } }));
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(list);
    return () => watch.disconnect();
  }, [scroller, store]);
  return size;
}

const OF_WORDS: Readonly<Record<SheetOf, string>> = {
  all: tr('All steps'),
  open: tr('Open ones'),
  'no-box': tr('Without a box'),
};

function SheetBar({ shown }: { shown: number }): ReactNode {
  const store = useWorkStore();
  const { run } = useTools();
  const of = useWork((state) => state.sheet.of);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus where it is.
    <div className={classes.bar} data-bar="boxes" onMouseDown={keepFocus}>
      <SegmentedControl
        aria-label={tr('Which boxes')}
        value={of}
        data={SHEET_OF.map((value) => ({ value, label: OF_WORDS[value] }))}
        onChange={(value) => store.setState(({ sheet }) => ({ sheet: { ...sheet, of: value } }))}
      />
      <span className={classes.count}>{tr('{shown, plural, one {# step} other {# steps}}', { shown })}</span>
      <span className={classes.spacer} />
      <KeyButton
        command="annotate.boxes"
        label={tr('Large picture')}
        title={tr('Open this step in the large picture; Escape comes back')}
        icon={<IconMaximize size={14} aria-hidden />}
        onClick={() => run('annotate.boxes')}
      />
      <KeyButton
        command="annotate.escape"
        label={tr('Close')}
        title={tr('Close the sheet of boxes')}
        icon={<IconArrowBackUp size={14} aria-hidden />}
        onClick={() => run('annotate.escape')}
      />
    </div>
  );
}
