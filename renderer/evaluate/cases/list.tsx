import { type ReactNode, useEffect, useRef } from 'react';
import { caseMark } from '../../../core/evaluate/case-mark.ts';
import type { ScoredCase } from '../../../schemas/evaluate.ts';
import { tr, trParts } from '../../language/tr.ts';
import { percent } from '../../ui/format.ts';
import { CommandButton } from '../../ui/keys/command-button.tsx';
import { kindName } from '../../ui/kinds.ts';
import { CASES_A_PAGE } from '../queries.ts';
import classes from './cases.module.css';

type Props = {
  cases: readonly ScoredCase[];
  /** Place of the first of `cases`; null while another page is on its way. */
  from: number | null;
  total: number;
  at: number;
  onChoose: (at: number) => void;
};

/** The cases around the one that is shown. */
export function CaseList({ cases, from, total, at, onChoose }: Props): ReactNode {
  const chosen = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The list may have scrolled away from it, or shows another page now.
    if (at >= 0 && cases.length > 0) chosen.current?.scrollIntoView({ block: 'nearest' });
  }, [at, cases]);
  const page = Math.floor(at / CASES_A_PAGE);
  const pages = Math.ceil(total / CASES_A_PAGE);
  return (
    <nav className={classes.list} aria-label={tr('Cases')} aria-busy={from === null}>
      <ol className={classes.entries} start={(from ?? 0) + 1}>
        {cases.map((one, i) => {
          const here = from !== null && from + i === at;
          return (
            <li key={one.id}>
              <button
                type="button"
                ref={here ? chosen : undefined}
                className={classes.entry}
                aria-current={here ? 'true' : undefined}
                onClick={() => from !== null && onChoose(from + i)}
              >
                <CaseVerdict scored={one} />
                <span className={classes.entryId} title={one.id}>
                  {one.id}
                </span>
                <span className={classes.entryKind}>{kindName(one.kind)}</span>
              </button>
            </li>
          );
        })}
      </ol>
      <div className={classes.pager}>
        <CommandButton
          variant="default"
          size="compact-xs"
          disabled={at === 0}
          command="cases.previous"
          onClick={() => onChoose(at - 1)}
        >
          {tr('Previous')}
        </CommandButton>
        <span className="tabular" role="status">
          {pages > 1
            ? trParts('{number, number} of {total, number}<hidden>, page {page}</hidden>', {
                number: at + 1,
                total,
                hidden: (inside) => <span className="visually-hidden">{inside}</span>,
                page: page + 1,
              })
            : tr('{number, number} of {total, number}', { number: at + 1, total })}
        </span>
        <CommandButton
          variant="default"
          size="compact-xs"
          disabled={at >= total - 1}
          command="cases.next"
          onClick={() => onChoose(at + 1)}
        >
          {tr('Next')}
        </CommandButton>
      </div>
    </nav>
  );
}

/** Right, wrong, in between or not answered; a sign beside the colour. */
export function CaseVerdict({ scored }: { scored: ScoredCase }): ReactNode {
  const mark = caseMark(scored) ?? 0;
  const [state, sign, words] = scored.notes.includes('missing')
    ? ['missing', '–', tr('not answered')]
    : mark >= 1
      ? ['right', '✓', tr('right')]
      : mark <= 0
        ? ['wrong', '✗', tr('wrong')]
        : ['part', percent(mark), tr('in part')];
  return (
    <span className={classes.verdict} data-state={state}>
      <span aria-hidden>{sign}</span>
      <span className="visually-hidden">{words}: </span>
    </span>
  );
}
