import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { QuestionSet, Run } from '../../schemas/api/evaluate.ts';
import { paths } from '../client/paths.ts';
import { plural } from '../ui/format.ts';
import { Clamp } from '../ui/parts.tsx';
import classes from './evaluate.module.css';
import {
  type BoardCell,
  type BoardTable,
  boardTables,
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
          <IconAlertTriangle size={16} aria-hidden /> These models were not scored the same way, so their rows cannot be
          compared one to one. Different: {different.join(', ')}.
        </p>
      )}
      {doubtful.length > 0 && (
        <p className={classes.warning} role="note">
          <IconAlertTriangle size={16} aria-hidden /> What the numbers of positions count was guessed. If it is wrong,
          load the predictions again and choose it under “Scoring options”. {doubtful.join('; ')}.
        </p>
      )}
      {tables.map((table) => (
        <BoardSection key={table.id} ws={ws} table={table} at={at} onChoose={onChoose} onOpen={onOpen} />
      ))}
      <p className={classes.foot}>
        <span className={classes.best}>Bold with a mark ★</span> is the best of its column. Below each value: its{' '}
        {Math.round(level * 100)} % interval (bootstrap over cases), and n, the cases behind it.{' '}
        {taskLevelOf(runs) === null
          ? 'A missing prediction counts 0. Action is the mean of click and drag recall, key precision and scroll accuracy; a kind that these questions do not ask is left out of it and named.'
          : 'A run that is missing failed everywhere.'}{' '}
        ↓ less is better.
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by key */}
      <section className={classes.tableScroll} tabIndex={0} aria-label={`${title}, table`}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Model</th>
              {columns.map(({ name, metric, better }) => (
                <th key={metric} scope="col" className={classes.number}>
                  {name}
                  {better === 'low' && <span title="Less is better"> ↓</span>}
                </th>
              ))}
              <th scope="col" className={classes.number}>
                Answered
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ run, cells }, i) => (
              <tr key={run.id} data-chosen={i === at} onClick={() => onChoose(i)} onDoubleClick={() => onOpen(run)}>
                <th scope="row" aria-current={i === at ? 'true' : undefined}>
                  <Link href={paths.cases(ws, run.id)} className={classes.model}>
                    <Clamp>{run.name}</Clamp>
                    <span className="visually-hidden">: cases</span>
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
      </section>
    </section>
  );
}

/** The unit of a column, as its models have it. */
const unitOf = (rows: BoardTable['rows'], place: number) =>
  rows.map(({ cells }) => cells[place]?.metric?.unit).find((unit) => unit !== undefined) ?? '%';

function Value({ cell: { metric, best } }: { cell: BoardCell }): ReactNode {
  const interval = scoreIntervalText(metric);
  return (
    <td className={classes.number}>
      <span className={best ? classes.best : undefined}>
        {best && (
          <>
            <span aria-hidden>★ </span>
            <span className="visually-hidden">best: </span>
          </>
        )}
        {valueText(metric)}
      </span>
      {metric?.value != null && (
        <span className={classes.interval}>
          {interval && (
            <>
              <span className="visually-hidden">, interval </span>
              {interval}
            </>
          )}
          <span className={classes.n}>
            {interval && ' · '}n {metric.n.toLocaleString('en')}
            {lacksText(metric) !== '' && ` · ${lacksText(metric)}`}
          </span>
        </span>
      )}
    </td>
  );
}

function Answered({ run }: { run: Run }): ReactNode {
  const { cases, answered, missing, unreadable, refused } = run.evaluation.counts;
  const odd = [
    missing > 0 && `${missing} missing`,
    unreadable > 0 && `${unreadable} unreadable`,
    refused > 0 && `${refused} refused`,
  ].filter((one) => one !== false);
  return (
    <td className={classes.number}>
      {answered.toLocaleString('en')} of {cases.toLocaleString('en')}
      <span className={classes.interval}>{odd.join(', ') || 'all read'}</span>
    </td>
  );
}

/** The choices that decided the numbers: two results are comparable when these are equal. */
function Options({ runs }: { runs: readonly Run[] }): ReactNode {
  return (
    <details className={classes.options}>
      <summary>Options and sources of {plural(runs.length, 'run')}</summary>
      {runs.map((run) => {
        const { id, name, predictions, files, evaluation } = run;
        return (
          <dl key={id}>
            <dt>{name}</dt>
            <dd>
              {predictions}, scored on {files.join(', ')}; data set{' '}
              {evaluation.dataset ? `${evaluation.dataset.name} ${evaluation.dataset.hash.slice(0, 12)}` : 'not named'}
              {evaluation.prompts.questions && `; prompts ${evaluation.prompts.questions.slice(0, 12)}`}
              {evaluation.aid && `; elements by ${evaluation.aid.source} (${evaluation.aid.hash.slice(0, 12)})`}
              {evaluation.critic && `; plans judged by ${criticText(evaluation.critic)}`}.
              <br />
              {[`scoring rules ${rulesOf(run)}`, coordinatesText(run), ...optionTexts(run)]
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
  const took = loaded > 0 ? `${loaded} scores from a file` : `${asked} asked, ${cached} known from before`;
  const odd = unreadable > 0 ? `, ${unreadable} unreadable` : '';
  return `${model} (${took}${odd}${cost > 0 ? `, cost ${cost.toFixed(4)}` : ''})`;
}
