import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { StepView, SubtaskView } from '../../../core/annotate/view.ts';
import { tr } from '../../language/tr.ts';
import { useActions, useTools } from '../context.ts';
import { clock } from '../frames/times.ts';
import { useWork, useWorkStore } from '../store.ts';
import classes from './list.module.css';
import type { RowMark, RowMarks } from './marks.ts';
import { rowOfStep, rowsOf } from './rows.ts';
import { Thumbnail, WithThumbnails } from './thumbnail.tsx';

const STEP_PX = 40;
const SUBTASK_PX = 34;

/**
 * Subtasks and their steps: the spine of the page. A tree of which only the rows in sight are there; the focus is on the
 * tree, and the row in hand is named by aria-activedescendant. `counts`: each subtask says how many of its steps are done.
 * `onGoal`: the goal is a row too, and this goes to it.
 */
export function StepList(props: { marks: RowMarks; counts: boolean; onGoal?: () => void }): ReactNode {
  const { marks, counts, onGoal } = props;
  const store = useWorkStore();
  const actions = useActions();
  const { focus } = useTools();
  const doc = useWork((state) => state.doc);
  const at = useWork((state) => state.at);
  const anchor = useWork((state) => state.anchor);
  const folded = useWork((state) => state.folded);
  const origin = useWork((state) => state.opened.span.start);
  const scroller = useRef<HTMLDivElement>(null);
  const stop = useWork((state) => state.stop);
  const goal = onGoal !== undefined;
  const rows = useMemo(() => rowsOf(doc.subtasks, folded, { goal }), [doc.subtasks, folded, goal]);
  const current = stop
    ? rows.findIndex(
        (row) =>
          row.kind === (stop.kind === 'goal' ? 'goal' : 'subtask') &&
          ('subtask' in stop ? row.index === stop.subtask : true),
      )
    : rowOfStep(rows, doc.subtasks, at);

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === 'step' ? STEP_PX : SUBTASK_PX),
    getItemKey: (index) => {
      const row = rows[index]!;
      if (row.kind === 'goal') return 'goal';
      return row.kind === 'step' ? doc.steps[row.index]!.step.id : doc.subtasks[row.index]!.record.id;
    },
    overscan: 12,
    useFlushSync: false,
  });

  useEffect(() => {
    // Heights are known, so nothing is measured; the list moves by whole screens rather than at every step.
    const row = current >= 0 ? virtual.measurementsCache[current] : undefined;
    const room = virtual.scrollRect?.height || scroller.current?.clientHeight || 0;
    const top = virtual.scrollOffset ?? 0;
    if (!row || !scroller.current || room === 0) return;
    if (row.start < top) scroller.current.scrollTop = Math.max(row.end - room * 0.8, 0);
    else if (row.end > top + room) scroller.current.scrollTop = row.start - room * 0.2;
  }, [current, virtual]);
  useEffect(() => focus.register('list', () => scroller.current), [focus]);

  const low = Math.min(at, anchor ?? at);
  const high = Math.max(at, anchor ?? at);
  const fold = (id: string): void => {
    const next = new Set(store.getState().folded);
    if (!next.delete(id)) next.add(id);
    store.setState({ folded: next });
  };

  return (
    <div
      ref={scroller}
      className={classes.list}
      role="tree"
      aria-label={tr('Subtasks and steps')}
      aria-multiselectable="true"
      aria-activedescendant={current >= 0 ? `row-${current}` : undefined}
      tabIndex={0}
    >
      {/* A tree owns its items; the box that gives the height is none. */}
      <div role="presentation" className={classes.all} style={{ height: virtual.getTotalSize() }}>
        <WithThumbnails>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index]!;
            const place = { transform: `translateY(${item.start}px)`, height: item.size };
            if (row.kind === 'goal') {
              const mark = marks.goal();
              return (
                <div
                  key={item.key}
                  id={`row-${item.index}`}
                  role="treeitem"
                  aria-level={1}
                  aria-selected={item.index === current}
                  aria-label={tr('Goal: {goal}, {state}', {
                    goal: short(doc.goal) || tr('none yet'),
                    state: mark.words,
                  })}
                  tabIndex={-1}
                  className={classes.subtask}
                  data-current={item.index === current}
                  style={place}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={onGoal}
                  onKeyDown={undefined}
                >
                  <span className={classes.fold} aria-hidden="true" />
                  <span className={classes.dot} data-state={mark.dot} />
                  <span className={classes.subtaskTitle} data-empty={doc.goal === ''}>
                    {short(doc.goal) || tr('No goal yet')}
                  </span>
                </div>
              );
            }
            if (row.kind === 'subtask') {
              const subtask = doc.subtasks[row.index]!;
              const isFolded = folded.has(subtask.record.id);
              const mark = marks.subtask(row.index);
              return (
                <div
                  key={item.key}
                  id={`row-${item.index}`}
                  role="treeitem"
                  aria-level={1}
                  aria-expanded={!isFolded}
                  aria-selected={item.index === current}
                  aria-label={tr('Subtask {number}: {title}, {state}', {
                    number: row.index + 1,
                    title: titleOf(subtask),
                    state:
                      mark?.words ??
                      (counts
                        ? tr('{done} of {kept} done', { done: subtask.done, kept: subtask.kept })
                        : tr('{kept} steps', { kept: subtask.kept })),
                  })}
                  aria-posinset={row.index + 1}
                  aria-setsize={doc.subtasks.length}
                  tabIndex={-1}
                  className={classes.subtask}
                  data-current={item.index === current}
                  style={place}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => actions.go(subtask.from)}
                  onDoubleClick={() => fold(subtask.record.id)}
                  onKeyDown={undefined}
                >
                  <SubtaskRow
                    subtask={subtask}
                    index={row.index}
                    folded={isFolded}
                    dot={mark?.dot ?? null}
                    counts={counts}
                    onFold={fold}
                  />
                </div>
              );
            }
            const step = doc.steps[row.index]!;
            const subtask = doc.subtasks[step.subtask];
            const mark = marks.step(row.index);
            return (
              <div
                key={item.key}
                id={`row-${item.index}`}
                role="treeitem"
                aria-level={2}
                aria-selected={row.index >= low && row.index <= high}
                aria-current={row.index === at && stop === null ? 'step' : undefined}
                aria-label={tr('Step {number}: {narration}, {state}', {
                  number: row.index + 1,
                  narration: short(step.narration),
                  state: mark.words,
                })}
                aria-posinset={row.index - (subtask?.from ?? 0) + 1}
                aria-setsize={(subtask?.to ?? 0) - (subtask?.from ?? 0)}
                tabIndex={-1}
                className={classes.step}
                data-current={row.index === at && stop === null}
                data-chosen={stop === null && row.index >= low && row.index <= high}
                data-state={step.state}
                data-action={step.step.id}
                style={place}
                onMouseDown={(event) => event.preventDefault()}
                onClick={(event) => {
                  scroller.current?.focus({ preventScroll: true });
                  actions.go(row.index, { extend: event.shiftKey });
                }}
                onKeyDown={undefined}
              >
                <StepRow
                  step={step}
                  index={row.index}
                  origin={origin}
                  dot={mark.dot}
                  open={mark.open}
                  rejected={mark.rejected}
                />
              </div>
            );
          })}
        </WithThumbnails>
      </div>
    </div>
  );
}

// Numbers and kinds are drawn by the style sheet from data attributes: the row's own text then is what its name says.
const SubtaskRow = memo(function SubtaskRow(props: {
  subtask: SubtaskView;
  index: number;
  folded: boolean;
  /** The mark of the decisions on its edge and title; null where nothing is decided. */
  dot: string | null;
  /** Whether done steps are counted. */
  counts: boolean;
  onFold: (id: string) => void;
}): ReactNode {
  const { subtask, index, folded, dot, counts, onFold } = props;
  return (
    <>
      {/* For the pointer; by keyboard folding is a command. */}
      <span
        className={classes.fold}
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          onFold(subtask.record.id);
        }}
      >
        {folded ? <IconChevronRight size={14} /> : <IconChevronDown size={14} />}
      </span>
      {dot !== null && <span className={classes.dot} data-state={dot} />}
      <span className={classes.subtaskIndex} data-text={index + 1} />
      <span className={classes.subtaskTitle} data-empty={subtask.title === ''} title={short(subtask.title, 600)}>
        {titleOf(subtask)}
      </span>
      <span className={classes.count} data-text={counts ? `${subtask.done}/${subtask.kept}` : subtask.kept} />
    </>
  );
});

const titleOf = (subtask: SubtaskView): string => short(subtask.title) || tr('No title yet');

type StepRowProps = { step: StepView; index: number; origin: number } & Pick<RowMark, 'dot' | 'open' | 'rejected'>;

const StepRow = memo(function StepRow({ step, index, origin, dot, open, rejected }: StepRowProps): ReactNode {
  return (
    <>
      <span className={classes.dot} data-state={dot} />
      <span className={classes.place} data-text={index + 1} />
      <Thumbnail step={step} />
      <span className={classes.words} title={short(step.narration, 600)}>
        <span className={classes.narration}>{short(step.narration)}</span>
        <span className={classes.more} data-text={short(secondLine(step, origin))} />
      </span>
      {open > 0 && <span className={classes.comments} data-rejected={rejected} data-text={open} />}
    </>
  );
});

/** When and where: what the narration above it does not say. */
function secondLine({ step, overwritten }: StepView, origin: number): string {
  const parts = [
    clock(step.start[2], origin).replace(/\.\d+$/, ''),
    step.by === 'person' ? tr('by a person') : '',
    overwritten ? tr('own words') : '',
    step.window ?? '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** Long texts are cut before they reach the page: a row shows one line of them. */
function short(text: string, most = 160): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
