import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { QuestionSet, Run } from '../../schemas/api/evaluate.ts';
import { paths } from '../client/paths.ts';
import { shownLanguage, tr, trParts } from '../language/tr.ts';
import { Clamp } from '../ui/parts.tsx';
import { SideScroll } from '../ui/side-scroll.tsx';
import classes from './evaluate.module.css';
import {
  type BoardCell,
  type BoardTable,
  boardTables,
  columnName,
  coordinatesText,
  differences,
  doubtfulScales,
  lacksText,
  optionTexts,
  rulesOf,
  scoreIntervalText,
  taskLevelOf,
  valueText,
} from './tables.ts';

type Props = {
  ws: string;
  set: QuestionSet;
  runs: readonly Run[];
  at: number;
  onChoose: (at: number) => void;
  onOpen: (run: Run) => void;
};

/** The paper's tables, one under the other, with the same models in the same order. */
export function Leaderboard({ ws, set, runs, at, onChoose, onOpen }: Props): ReactNode {
  const different = differences(runs, set);
  const doubtful = doubtfulScales(runs);
  const tables = boardTables(runs);
  const level = runs[0]?.evaluation.options.level ?? 0.95;
  return (
    <div className={classes.scroll}>
      {different.length > 0 && (
        <p className={classes.warning} role="note">
          {trParts(
            '{icon} These models were not scored the same way, so their rows cannot be compared one to one. Different: {different}.',
            { icon: <IconAlertTriangle size={16} aria-hidden />, different: different.join(', ') },
          )}
        </p>
      )}
      {doubtful.length > 0 && (
        <p className={classes.warning} role="note">
          {trParts(
            '{icon} What the numbers of positions count was guessed. If it is wrong, load the predictions again and choose it under “Scoring options”. {doubtful}.',
            { icon: <IconAlertTriangle size={16} aria-hidden />, doubtful: doubtful.join('; ') },
          )}
        </p>
      )}
      {tables.map((table) => (
        <BoardSection key={table.id} ws={ws} table={table} at={at} onChoose={onChoose} onOpen={onOpen} />
      ))}
      <p className={classes.foot}>
        {trParts(
          '<best>Bold with a mark ★</best> is the best of its column. Below each value: its {level} % interval (bootstrap over cases; none where all cases scored the same), and n, the cases behind it.',
          { best: (inside) => <span className={classes.best}>{inside}</span>, level: Math.round(level * 100) },
        )}{' '}
        {taskLevelOf(runs) === null
          ? tr(
              'A missing prediction counts 0. Action is the mean of click and drag recall, key precision and scroll accuracy; a kind that these questions do not ask is left out of it and named.',
            )
          : tr('A run that is missing failed everywhere.')}{' '}
        {tr('↓ less is better.')}
      </p>
      <Options runs={runs} />
    </div>
  );
}

function BoardSection(props: Omit<Props, 'runs' | 'set'> & { table: BoardTable }): ReactNode {
  const { ws, table, at, onChoose, onOpen } = props;
  const { id, title, about, columns, rows, references } = table;
  return (
    <section className={classes.section} aria-labelledby={`board-${id}`}>
      <h2 id={`board-${id}`} className={classes.sectionTitle}>
        {title}
      </h2>
      <p className={classes.sectionAbout}>{about}</p>
      <SideScroll label={tr('{title}, table', { title })}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{tr('Model')}</th>
              {columns.map((column) => (
                <th key={column.metric} scope="col" className={classes.number}>
                  {columnName(column)}
                  {column.better === 'low' && <span title={tr('Less is better')}> ↓</span>}
                </th>
              ))}
              <th scope="col" className={classes.number}>
                {tr('Answered')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ run, cells }, i) => (
              <tr key={run.id} data-chosen={i === at} onClick={() => onChoose(i)} onDoubleClick={() => onOpen(run)}>
                <th scope="row" aria-current={i === at ? 'true' : undefined}>
                  <Link href={paths.cases(ws, run.id)} className={classes.model}>
                    {trParts('{model}<hidden>: cases</hidden>', { model: <Clamp>{run.name}</Clamp>, hidden })}
                  </Link>
                </th>
                {cells.map((cell, place) => (
                  <Value key={columns[place]?.metric} cell={cell} />
                ))}
                <Answered run={run} />
              </tr>
            ))}
          </tbody>
          {references.length > 0 && (
            <tfoot>
              {references.map(({ name, values }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  {columns.map(({ metric }, place) => (
                    <td key={metric} className={classes.number}>
                      {valueText({ metric, unit: unitOf(rows, place), value: values[place] ?? null })}
                    </td>
                  ))}
                  <td />
                </tr>
              ))}
            </tfoot>
          )}
        </table>
      </SideScroll>
    </section>
  );
}

/** The unit of a column, as its models have it. */
const unitOf = (rows: BoardTable['rows'], place: number) =>
  rows.map(({ cells }) => cells[place]?.metric?.unit).find((unit) => unit !== undefined) ?? '%';

/** For those who hear the page. */
const hidden = (inside: ReactNode[]): ReactNode => <span className="visually-hidden">{inside}</span>;

function Value({ cell: { metric, best } }: { cell: BoardCell }): ReactNode {
  const interval = scoreIntervalText(metric);
  return (
    <td className={classes.number}>
      <span className={best ? classes.best : undefined}>
        {best && (
          <>
            <span aria-hidden>★ </span>
            <span className="visually-hidden">{tr('best:')} </span>
          </>
        )}
        {valueText(metric)}
      </span>
      {metric?.value != null && (
        <span className={classes.interval}>
          {interval && trParts('<hidden>, interval </hidden>{interval}', { hidden, interval })}
          <span className={classes.n}>
            {interval ? ' · ' : hidden([', '])}n {metric.n.toLocaleString(shownLanguage())}
          </span>
          {lacksText(metric) !== '' && <span className={classes.lacks}>{lacksText(metric)}</span>}
        </span>
      )}
    </td>
  );
}

function Answered({ run }: { run: Run }): ReactNode {
  const { cases, answered, missing, unreadable, refused } = run.evaluation.counts;
  const odd = [
    missing > 0 && tr('{missing} missing', { missing }),
    unreadable > 0 && tr('{unreadable} unreadable', { unreadable }),
    refused > 0 && tr('{refused} refused', { refused }),
  ].filter((one) => one !== false);
  return (
    <td className={classes.number}>
      {tr('{answered, number} of {cases, number}', { answered, cases })}
      <span className={classes.interval}>{odd.join(', ') || tr('all read')}</span>
    </td>
  );
}

/** Where a run's numbers come from. */
function sourceTexts({ predictions, files, evaluation }: Run): string[] {
  const { dataset, prompts, aid, critic } = evaluation;
  const short = (hash: string): string => hash.slice(0, 12);
  return [
    tr('{predictions}, scored on {files}', { predictions, files: files.join(', ') }),
    dataset
      ? tr('data set {name} {hash}', { name: dataset.name, hash: short(dataset.hash) })
      : tr('data set not named'),
    prompts.questions ? tr('prompts {hash}', { hash: short(prompts.questions) }) : '',
    aid ? tr('elements by {source} ({hash})', { source: aid.source, hash: short(aid.hash) }) : '',
    critic ? tr('plans judged by {critic}', { critic: criticText(critic) }) : '',
  ].filter((one) => one !== '');
}

/** The choices that decided the numbers: two results are comparable when these are equal. */
function Options({ runs }: { runs: readonly Run[] }): ReactNode {
  return (
    <details className={classes.options}>
      <summary>
        {tr('Options and sources of {runs, plural, one {# run} other {# runs}}', { runs: runs.length })}
      </summary>
      {runs.map((run) => {
        const { id, name } = run;
        return (
          <dl key={id}>
            <dt>{name}</dt>
            <dd>
              {sourceTexts(run).join('; ')}.
              <br />
              {[tr('scoring rules {number}', { number: rulesOf(run) }), coordinatesText(run), ...optionTexts(run)]
                .filter((one) => one !== null)
                .join(' · ')}
            </dd>
          </dl>
        );
      })}
    </details>
  );
}

/** Who it was and what it took: `critic-model (12 asked, 3 unreadable, cost 0.0120)`. */
function criticText(critic: NonNullable<Run['evaluation']['critic']>): string {
  const { model, loaded, asked, cached, unreadable, cost } = critic;
  const took =
    loaded > 0
      ? tr('{loaded} scores from a file', { loaded })
      : tr('{asked} asked, {cached} known from before', { asked, cached });
  const odd = unreadable > 0 ? [tr('{unreadable} unreadable', { unreadable })] : [];
  const paid = cost > 0 ? [tr('cost {cost}', { cost: cost.toFixed(4) })] : [];
  return `${model} (${[took, ...odd, ...paid].join(', ')})`;
}
