import { Select } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Run } from '../../schemas/api/evaluate.ts';
import type { Metric } from '../../schemas/evaluate.ts';
import { english, shownLanguage, tr } from '../language/tr.ts';
import { EmptyState } from '../ui/parts.tsx';
import { SideScroll } from '../ui/side-scroll.tsx';
import classes from './evaluate.module.css';
import { ScorePlot } from './plot.tsx';
import {
  bestOf,
  columnName,
  defaultMetric,
  groupMetrics,
  groupNames,
  metricOf,
  scoreIntervalText,
  taskLevelOf,
  valueText,
} from './tables.ts';

type GroupKind = 'software' | 'actions' | 'difficulty' | 'scenario';
const WORDS: Readonly<Record<GroupKind, { head: string; title: string; axis: string; about: string }>> = {
  software: {
    head: tr('Software'),
    title: english('{metric} by software'),
    axis: tr('software'),
    about: tr('The paper’s figure 5, top.'),
  },
  actions: {
    head: tr('Actions'),
    title: english('{metric} by number of actions'),
    axis: tr('actions of the subtask (of the task, for high plans)'),
    about: tr('The paper’s figure 5, bottom.'),
  },
  difficulty: {
    head: tr('Difficulty'),
    title: english('{metric} by difficulty'),
    axis: tr('difficulty'),
    about: tr('As the truth names it.'),
  },
  scenario: {
    head: tr('Scenario'),
    title: english('{metric} by scenario'),
    axis: tr('scenario'),
    about: tr('As the truth names it.'),
  },
};

/** One metric over the groups: a plot with intervals, and the same as a table. */
export function Groups({ group, runs }: { group: GroupKind; runs: readonly Run[] }): ReactNode {
  const columns = groupMetrics(runs, group);
  const [wanted, setWanted] = useState<string | null>(null);
  const chosen = wanted ?? defaultMetric(columns, group);
  const column = columns.find(({ metric }) => metric === chosen) ?? columns[0];
  if (!column) {
    return (
      <EmptyState title={tr('No groups')}>
        {taskLevelOf(runs) === null
          ? tr('These questions do not say this of themselves.')
          : tr('These tasks do not say this of themselves.')}
      </EmptyState>
    );
  }
  const names = groupNames(runs, group).filter((name) =>
    runs.some((run) => metricOf(run, group, name, column.metric)?.value != null),
  );
  const { head, title, axis, about } = WORDS[group];
  const series = runs.map((run) => ({
    name: run.name,
    metrics: names.map((name) => metricOf(run, group, name, column.metric)),
  }));
  const best = names.map((_, i) =>
    bestOf(
      column,
      series.map(({ metrics }) => metrics[i] ?? null),
    ),
  );
  const heading = tr(title, { metric: columnName(column) });
  return (
    <div className={classes.scroll}>
      <div className={classes.groupHead}>
        <Select
          label={tr('Metric')}
          w={240}
          data={columns.map((one) => ({ value: one.metric, label: columnName(one) }))}
          value={column.metric}
          onChange={setWanted}
          allowDeselect={false}
        />
        <p className={classes.sectionAbout}>
          {about} {tr('Whiskers are intervals; shape and colour tell the models apart.')}
          {column.better === 'low' && <> {tr('Less is better.')}</>}
        </p>
      </div>
      <div className={classes.groupBody}>
        <section aria-labelledby="group-plot">
          <h2 id="group-plot" className={classes.sectionTitle}>
            {heading}
          </h2>
          <ScorePlot
            title={heading}
            groups={names}
            series={series}
            joined={group === 'actions' || group === 'difficulty'}
            axis={axis}
          />
        </section>
        <SideScroll label={tr('{heading}, table', { heading })}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{head}</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col" className={classes.number}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {names.map((name, i) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  {series.map((one) => (
                    <GroupValue key={one.name} metric={one.metrics[i] ?? null} best={best[i] ?? null} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </SideScroll>
      </div>
    </div>
  );
}

function GroupValue({ metric, best }: { metric: Metric | null; best: number | null }): ReactNode {
  const isBest = metric?.value != null && metric.value === best;
  const interval = scoreIntervalText(metric);
  return (
    <td className={classes.number}>
      <span className={isBest ? classes.best : undefined}>
        {isBest && '★ '}
        {valueText(metric)}
      </span>
      {metric?.value != null && (
        <span className={classes.interval}>
          {interval}
          <span className={classes.n}>
            {interval ? ' · ' : ' '}n {metric.n.toLocaleString(shownLanguage())}
          </span>
        </span>
      )}
    </td>
  );
}
