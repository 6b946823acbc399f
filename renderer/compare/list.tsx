import { Select, Switch } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, type RefObject, useEffect, useMemo, useRef } from 'react';
import type { Difference } from '../../schemas/api/review-models.ts';
import { figureText } from '../figures/figures.ts';
import { shownLanguage, tr } from '../language/tr.ts';
import { Kbd } from '../ui/keys/kbd.tsx';
import { useTools } from '../workbench/context.ts';
import classes from './compare.module.css';
import { type ComparedSide, differenceWords, documentKind, letterOf, whereOf } from './sides.ts';
import type { Standing } from './standing.ts';
import { type ComparisonRow, shownRows, useCompare, useComparing } from './store.ts';

const ROW_PX = 46;
/** A row shows a line of each text. */
const MOST_LETTERS = 120;

/**
 * Only what the sides say differently, in the recording's order, as a tree of one level: a list box would keep the keys of
 * the page for itself. `states`: somebody adjudicates, or has.
 */
export function DifferenceList(props: {
  rows: readonly ComparisonRow[];
  states: boolean;
  kindField: RefObject<HTMLInputElement | null>;
}): ReactNode {
  const { rows, states, kindField } = props;
  const { store, actions } = useComparing();
  const { focus } = useTools();
  const sides = useCompare((state) => state.sides);
  const selected = useCompare((state) => state.selected);
  const kind = useCompare((state) => state.kind);
  const onlyOpen = useCompare((state) => state.onlyOpen);
  const scroller = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => shownRows(rows, { kind, onlyOpen, selected }), [rows, kind, onlyOpen, selected]);
  const current = shown.findIndex(({ difference }) => difference.id === selected);
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => shown[index]!.difference.id,
    overscan: 10,
    useFlushSync: false,
  });
  useEffect(() => {
    if (current >= 0) virtual.scrollToIndex(current, { align: 'auto' });
  }, [current, virtual]);
  useEffect(() => focus.register('list', () => scroller.current), [focus]);
  const kinds = useMemo(() => [...new Set(rows.map(({ difference }) => difference.kind))], [rows]);

  return (
    <>
      <div className={classes.filters}>
        <Select
          ref={kindField}
          aria-label={tr('Kind of difference')}
          data={[
            { value: '', label: tr('All kinds ({rows, number})', { rows: rows.length }) },
            ...kinds.map((value) => ({ value, label: `${differenceWords(value)} (${countOf(rows, value)})` })),
          ]}
          value={kind ?? ''}
          allowDeselect={false}
          rightSection={<Kbd command="compare.kind" />}
          rightSectionPointerEvents="none"
          onChange={(value) => {
            store.setState({ kind: kinds.find((one) => one === value) ?? null });
            focus.go('list');
          }}
        />
        {states && (
          <span className={classes.switch}>
            <Switch
              label={tr('Only unsettled')}
              checked={onlyOpen}
              onChange={(event) => store.setState({ onlyOpen: event.currentTarget.checked })}
            />
            <Kbd command="compare.onlyOpen" />
          </span>
        )}
      </div>
      {shown.length === 0 && (
        <p className={classes.nothing}>
          {rows.length === 0
            ? tr('They say the same of everything: there is nothing to decide.')
            : onlyOpen
              ? tr('Everything of this choice is settled.')
              : tr('Nothing differs here.')}
        </p>
      )}
      <div
        ref={scroller}
        className={classes.list}
        role="tree"
        aria-label={tr('Differences')}
        aria-activedescendant={current >= 0 ? `difference-${current}` : undefined}
        tabIndex={0}
      >
        <div role="presentation" className={classes.all} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = shown[item.index]!;
            return (
              <div
                key={item.key}
                id={`difference-${item.index}`}
                role="treeitem"
                aria-level={1}
                aria-selected={item.index === current}
                aria-posinset={item.index + 1}
                aria-setsize={shown.length}
                tabIndex={-1}
                className={classes.row}
                data-current={item.index === current}
                data-difference={row.difference.id}
                data-state={row.standing.state}
                style={{ transform: `translateY(${item.start}px)`, height: item.size }}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => {
                  scroller.current?.focus({ preventScroll: true });
                  actions.select(row.difference.id);
                }}
                onKeyDown={undefined}
              >
                <DifferenceRow row={row} sides={sides} states={states} />
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}

const countOf = (rows: readonly ComparisonRow[], kind: Difference['kind']): string =>
  rows.filter(({ difference }) => difference.kind === kind).length.toLocaleString(shownLanguage());

const DifferenceRow = memo(function DifferenceRow(props: {
  row: ComparisonRow;
  sides: readonly ComparedSide[];
  states: boolean;
}): ReactNode {
  const { difference, standing } = props.row;
  return (
    <>
      {props.states && (
        <span className={classes.dot} data-state={standing.state}>
          <span className="visually-hidden">{STATE_WORDS[standing.state]}: </span>
        </span>
      )}
      <span className={classes.words}>
        <span className={classes.rowHead}>
          <span className={classes.kind}>{documentKind(difference)}</span>
          <span className={classes.where} title={whereOf(difference)}>
            {whereOf(difference)}
          </span>
          {props.states && <Taken standing={standing} sides={props.sides} />}
          <span className={classes.near} title={tr('How near they are, 0 to 1')}>
            {figureText(difference.agreement)}
          </span>
        </span>
        <span className={classes.said}>
          {difference.sides.map(({ document, text }, place) => (
            <span key={document}>
              <b>{letterOf(place)}</b> {text.slice(0, MOST_LETTERS) || '–'}
            </span>
          ))}
        </span>
      </span>
    </>
  );
});

/** Whose side was taken, as its letter; a third value as a pen. */
function Taken({ standing, sides }: { standing: Standing; sides: readonly ComparedSide[] }): ReactNode {
  const words = takenWords(standing, sides);
  return <span className={classes.taken}>{standing.state === 'settled' ? `→ ${words}` : words}</span>;
}

export function takenWords({ state, side }: Standing, sides: readonly ComparedSide[]): string {
  if (state === 'open') return '';
  if (state === 'written') return tr('not settled yet');
  if (state === 'changed') return tr('changed since');
  const place = sides.find(({ document }) => document === side)?.place;
  return place === undefined ? tr('a third value') : letterOf(place);
}

const STATE_WORDS = {
  open: tr('open'),
  written: tr('written, not settled yet'),
  settled: tr('settled'),
  changed: tr('changed since it was settled'),
} as const;
