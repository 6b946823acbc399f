import { type ReactNode, useMemo, useRef, useState } from 'react';
import { CommentDialog } from '../comments/comment-dialog.tsx';
import { useRemarks } from '../comments/remarks.tsx';
import { useCommentKeys } from '../comments/use-comment-keys.ts';
import { tr } from '../language/tr.ts';
import { ConfirmDialog } from '../ui/confirm.tsx';
import { openSelect } from '../ui/fields.ts';
import { type CommandHandler, useHandlers } from '../ui/keys/use-commands.ts';
import { useTools } from '../workbench/context.ts';
import { RemoveDialog } from '../workbench/form/remove-dialog.tsx';
import { WorkLayout } from '../workbench/layout.tsx';
import { useWork } from '../workbench/store.ts';
import { useEditKeys, useViewKeys } from '../workbench/use-keys.ts';
import { Bands } from './bands.tsx';
import { SIDE_KEYS } from './commands.ts';
import { ComparisonHead } from './head.tsx';
import { DifferenceList } from './list.tsx';
import { marksInWords, SideMarks } from './marks.tsx';
import { type ComparedSide, documentKind, letterOf, whereOf } from './sides.ts';
import { isUnsettled } from './standing.ts';
import {
  type ComparisonRow,
  comparisonRows,
  isAdjudicated,
  toggleFigures,
  useAdjudicates,
  useCompare,
  useComparing,
} from './store.ts';
import { AgreementStrip } from './strip.tsx';
import { fieldOf } from './third.tsx';
import { Values } from './values.tsx';

/** Differences on the left, the step's screen with every side's boxes in the middle, values on the right, time below. */
export function CompareWorkspace({ nameOf }: { nameOf: (side: ComparedSide) => string }): ReactNode {
  const rows = useRows();
  const selected = useCompare((state) => state.selected);
  const comparison = useCompare((state) => state.comparison);
  const sides = useCompare((state) => state.sides);
  const figures = useCompare((state) => state.figures);
  const adjudicated = useWork(isAdjudicated);
  const adjudicates = useAdjudicates();
  const at = useWork((state) => state.at);
  const remarks = useRemarks();
  const kindField = useRef<HTMLInputElement>(null);
  useCompareKeys({ rows, kindField: () => openSelect(kindField.current) });
  const row = rows.find(({ difference }) => difference.id === selected) ?? null;
  const spoken = row
    ? tr('Difference {number} of {rows}: {difference}, {where}. {sides}', {
        number: row.number,
        rows: rows.length,
        difference: documentKind(row.difference),
        where: whereOf(row.difference),
        sides: marksInWords(sides, at, nameOf),
      })
    : '';
  return (
    <WorkLayout
      bar={<ComparisonHead rows={rows} />}
      strip={figures && <AgreementStrip comparison={comparison} />}
      spoken={() => spoken}
      remarks={remarks}
      left={<DifferenceList rows={rows} states={adjudicated} kindField={kindField} />}
      right={<Values row={row} nameOf={nameOf} />}
      stage={{ marks: (viewport) => <SideMarks viewport={viewport} />, readOnly: !adjudicates }}
      below={<Bands rows={rows} nameOf={nameOf} />}
    >
      <RemoveDialog />
      <CommentDialog />
      <Asked rows={rows} />
    </WorkLayout>
  );
}

/** Every difference with where it stands now. */
function useRows(): ComparisonRow[] {
  const records = useWork((state) => state.sync.pending.view);
  const steps = useWork((state) => state.opened.steps);
  const settled = useWork((state) => state.review?.view.settled);
  const comparison = useCompare((state) => state.comparison);
  const sides = useCompare((state) => state.sides);
  const written = useCompare((state) => state.written);
  return useMemo(
    () => comparisonRows({ comparison, sides, written, records, steps, settled: settled ?? [] }),
    [comparison, sides, written, records, steps, settled],
  );
}

function useCompareKeys({ rows, kindField }: { rows: readonly ComparisonRow[]; kindField: () => void }): void {
  const { store, actions } = useComparing();
  const { focus, run } = useTools();
  const adjudicates = useAdjudicates();
  const sides = useCompare((state) => state.sides);
  const may = useWork((state) => state.review?.view.may);
  const boxing = useWork((state) => state.mode.kind !== 'idle');
  useViewKeys({ by: actions.by, extend: actions.by, end: actions.end });
  useEditKeys(adjudicates);
  useCommentKeys();
  const third = (): void => {
    const row = rows.find(({ difference }) => difference.id === store.getState().selected);
    if (!row) return;
    const field = fieldOf(row.difference);
    if (field !== null) focus.go(field);
    else if (row.difference.kind === 'box')
      run(row.difference.id.endsWith(':end') ? 'annotate.boxEnd' : 'annotate.box');
    else if (row.difference.kind === 'removal') run('annotate.remove');
  };
  const whole = (handler: () => void, enabled: boolean): CommandHandler => ({ run: handler, enabled });
  useHandlers('annotate.edit.compare', {
    ...Object.fromEntries(
      SIDE_KEYS.map((key, place) => [
        `compare.side${key}`,
        whole(() => actions.take(place), place < sides.length && (adjudicates || may?.claim === null)),
      ]),
    ),
    // A box that is being made by keys is finished first.
    'compare.settle': whole(actions.settle, adjudicates && !boxing),
    'compare.third': whole(third, adjudicates),
    'compare.next': actions.next,
    'compare.takeBack': whole(actions.takeBack, adjudicates),
    'compare.claim': whole(actions.claim, may?.claim === null),
    'compare.release': whole(() => actions.ask('release'), adjudicates),
    'compare.approve': whole(() => actions.ask('approve'), adjudicates && may?.approve === null),
    'compare.kind': kindField,
    'compare.onlyOpen': () => store.setState(({ onlyOpen }) => ({ onlyOpen: !onlyOpen })),
    'compare.figures': () => toggleFigures(store),
  });
}

/** The question before the whole of it is given back or approved. */
function Asked({ rows }: { rows: readonly ComparisonRow[] }): ReactNode {
  const { actions } = useComparing();
  const asking = useCompare((state) => state.asking);
  const sides = useCompare((state) => state.sides);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const close = (): void => {
    setError(null);
    actions.ask(null);
  };
  const approve = (): void => {
    setBusy(true);
    actions
      .approve()
      .then(close)
      .catch(setError)
      .finally(() => setBusy(false));
  };
  const left = rows.filter(({ standing }) => isUnsettled(standing)).length;
  const third = rows.filter(({ standing }) => standing.state === 'settled' && standing.side === null).length;
  const taken = sides.map(({ document, place }) => {
    const count = rows.filter(({ standing }) => standing.side === document).length;
    return tr('{letter} {count, number} times', { letter: letterOf(place), count });
  });
  return (
    <>
      <ConfirmDialog
        opened={asking === 'approve'}
        title={tr('Approve what was adjudicated')}
        confirm={tr('Approve')}
        busy={busy}
        error={error}
        onConfirm={approve}
        onCancel={close}
      >
        <p>
          {tr(
            '{rows, plural, one {# difference} other {# differences}} settled: {taken}, a third value {third, number} times. The replicas stay as they are. Where the review policy says so, somebody who took no part reviews it before it counts as approved.',
            { rows: rows.length, taken: taken.join(', '), third },
          )}
        </p>
        {left > 0 && (
          <p>
            {tr(
              '{left, plural, one {# value was} other {# values were}} changed since. Look at them first (Shift+Enter).',
              { left },
            )}
          </p>
        )}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === 'release'}
        title={tr('Release it')}
        confirm={tr('Release')}
        onConfirm={() => {
          actions.release();
          close();
        }}
        onCancel={close}
      >
        {tr('Somebody else may then adjudicate it. What you settled stays.')}
      </ConfirmDialog>
    </>
  );
}
