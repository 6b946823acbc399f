import { Button, Menu, SegmentedControl, Select } from '@mantine/core';
import { IconChartBar, IconDownload, IconFileImport, IconGavel, IconListCheck, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { QuestionSet, Run } from '../../schemas/api/evaluate.ts';
import { paths } from '../client/paths.ts';
import { tr, trParts } from '../language/tr.ts';
import { saveText } from '../ui/download.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { Kbd } from '../ui/keys/kbd.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { kindCounts } from '../ui/kinds.ts';
import { MenuItems } from '../ui/menu-items.tsx';
import { EmptyState, PageHeader, QueryError, RowKeys, Time } from '../ui/parts.tsx';
import { useAddress } from '../ui/use-address.ts';
import { CommandHint } from './command-hint.tsx';
import classes from './evaluate.module.css';
import { boardCsv, boardJson } from './export.ts';
import { firstFiles } from './files.ts';
import { FirstQuestions } from './first-questions.tsx';
import { Groups } from './groups.tsx';
import { JudgeDialog } from './judge-dialog.tsx';
import { Leaderboard } from './leaderboard.tsx';
import { LoadDialog } from './load-dialog.tsx';
import { NotAsked } from './not-asked.tsx';
import { evaluateQueries } from './queries.ts';
import { QuestionsDialog } from './questions-dialog.tsx';
import { RemoveRun, RemoveSet } from './remove.tsx';
import { StageTables } from './stage-tables.tsx';
import { groupNames } from './tables.ts';

const VIEWS = [
  { value: 'board', label: tr('Leaderboard') },
  { value: 'software', label: tr('By software') },
  { value: 'actions', label: tr('By number of actions') },
  { value: 'difficulty', label: tr('By difficulty') },
  { value: 'scenario', label: tr('By scenario') },
] as const;
type View = (typeof VIEWS)[number]['value'];
/** A dialog stays about what it was opened for: the list behind it may change, or its run be replaced. */
type Dialog =
  | { of: 'load'; set: QuestionSet }
  | { of: 'questions' }
  | { of: 'judge' | 'remove-run'; run: Run }
  | { of: 'remove-set'; set: QuestionSet; runs: number };

/** Predictions of several models on the same questions: loaded, scored, laid out beside each other. */
export function EvaluatePage({ ws }: { ws: string }): ReactNode {
  const [, go] = useLocation();
  const sets = useQuery(evaluateQueries.sets(ws));
  const all = useQuery(evaluateQueries.runs(ws));
  const [wanted, setWanted] = useState<string | null>(null);
  const [wantedView, setView] = useState<View>('board');
  const [chosen, setChosen] = useState(0);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  useAddress({ set: wanted, view: wantedView === 'board' ? null : wantedView }, (parts) => {
    setWanted(parts.set ?? null);
    setView(VIEWS.find(({ value }) => value === parts.view)?.value ?? 'board');
  });
  const set = sets.data?.find(({ id }) => id === wanted) ?? firstSet(sets.data ?? [], all.data ?? []);
  const runs = useMemo(() => {
    const own = (all.data ?? []).filter((run) => run.set === set?.id);
    return own.sort((a, b) => (a.madeAt < b.madeAt ? -1 : 1));
  }, [all.data, set?.id]);
  const at = Math.max(0, Math.min(chosen, runs.length - 1));
  const run = runs[at];
  const saveCsv = (): void => saveText(`${fileName(set)}.csv`, 'text/csv', boardCsv(runs));
  const saveJson = (): void => saveText(`${fileName(set)}.json`, 'application/json', boardJson(runs));
  const open = (one: Run): void => go(paths.cases(ws, one.id));
  const load = (): void => set && setDialog({ of: 'load', set });
  const judge = (): void => run && setDialog({ of: 'judge', run });
  const close = (): void => setDialog(null);
  const removing = dialog?.of === 'remove-set' ? dialog : null;
  const has = run !== undefined;
  const plans = run !== undefined && holdsPlans(run);
  const views = VIEWS.filter(({ value }) => value === 'board' || groupNames(runs, value).length > 0);
  const view = views.some(({ value }) => value === wantedView) ? wantedView : 'board';
  useHandlers('evaluate', {
    'evaluate.load': { run: load, enabled: set !== undefined },
    'evaluate.questions': () => setDialog({ of: 'questions' }),
    'evaluate.judge': { run: judge, enabled: plans },
    'evaluate.down': () => setChosen(at + 1),
    'evaluate.up': () => setChosen(Math.max(0, at - 1)),
    'evaluate.open': { run: () => run && open(run), enabled: has },
    'evaluate.remove': { run: () => run && setDialog({ of: 'remove-run', run }), enabled: has },
    'evaluate.csv': { run: saveCsv, enabled: has },
    'evaluate.json': { run: saveJson, enabled: has },
  });
  const questionsButton = (
    <CommandButton
      variant="default"
      icon={IconListCheck}
      command="evaluate.questions"
      onClick={() => setDialog({ of: 'questions' })}
    >
      {tr('Questions …')}
    </CommandButton>
  );
  const loadButton = (
    <CommandButton icon={IconFileImport} command="evaluate.load" onClick={load}>
      {tr('Load predictions …')}
    </CommandButton>
  );
  return (
    <div className={classes.page}>
      <PageHeader
        title={tr('Evaluate')}
        about={set ? <SetLine set={set} runs={runs.length} /> : tr('Models scored on this data set')}
        actions={
          set && (
            <>
              {has && <DownloadMenu onCsv={saveCsv} onJson={saveJson} />}
              {questionsButton}
              {loadButton}
            </>
          )
        }
      />
      <QueryError of={sets} what={tr('The questions could not be read.')} />
      <QueryError of={all} what={tr('The runs could not be read.')} />
      {sets.data && !set && (
        <FirstQuestions ws={ws} onQuestions={() => setDialog({ of: 'questions' })} onMade={setWanted} />
      )}
      {set && (
        <div className={classes.bar}>
          <Select
            aria-label={tr('Question set')}
            w={300}
            data={(sets.data ?? []).map(({ id, name, madeAt }) => ({
              value: id,
              label: `${name} · ${madeAt.slice(0, 16).replace('T', ' ')}`,
            }))}
            value={set.id}
            onChange={(value) => setWanted(value)}
            allowDeselect={false}
          />
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconTrash size={15} aria-hidden />}
            onClick={() => set && setDialog({ of: 'remove-set', set, runs: runs.length })}
          >
            {set.tasks === null ? tr('Remove the questions …') : tr('Remove the tasks …')}
          </Button>
          {has && (
            <>
              <SegmentedControl
                aria-label={tr('What is shown')}
                data={[...views]}
                value={view}
                onChange={(value) => setView(VIEWS.find((one) => one.value === value)?.value ?? 'board')}
              />
              {plans && (
                <CommandButton variant="default" icon={IconGavel} command="evaluate.judge" onClick={judge}>
                  {tr('Judge the plans …')}
                </CommandButton>
              )}
              <RowKeys
                keys={[
                  [tr('choose'), 'evaluate.down', 'evaluate.up'],
                  [tr('cases'), 'evaluate.open'],
                  [tr('remove'), 'evaluate.remove'],
                ]}
              />
            </>
          )}
        </div>
      )}
      {set && all.data && !has && (
        <EmptyState icon={<IconChartBar size={22} />} title={tr('No predictions yet')} actions={loadButton}>
          {set.tasks === null
            ? trParts(
                'Ask a model these questions, then load its answers: a file with a line of {code} a question. Any OpenAI-compatible endpoint is asked by{commandHint}',
                {
                  code: <code>{'{"id", "prediction"}'}</code>,
                  commandHint: (
                    <CommandHint line="npm run studio -- answer --questions Q.jsonl --endpoint URL --model NAME --out P.jsonl" />
                  ),
                },
              )
            : trParts(
                'Let an agent do these tasks, then load what its runs came to: a line a task, such as {example}',
                {
                  example: <CommandHint line={RUN_LINES[set.tasks]} />,
                },
              )}
          <NotAsked set={set} />
        </EmptyState>
      )}
      {set && has && view === 'board' && (
        <Leaderboard ws={ws} set={set} runs={runs} at={at} onChoose={setChosen} onOpen={open} />
      )}
      {has && view !== 'board' && <Groups key={view} group={view} runs={runs} />}
      <StageTables ws={ws} />
      <LoadDialog ws={ws} set={dialog?.of === 'load' ? dialog.set : null} onClose={close} />
      <QuestionsDialog ws={ws} opened={dialog?.of === 'questions'} onClose={close} onMade={setWanted} />
      <JudgeDialog ws={ws} run={dialog?.of === 'judge' ? dialog.run : null} onClose={close} />
      <RemoveRun ws={ws} run={dialog?.of === 'remove-run' ? dialog.run : null} onClose={close} />
      <RemoveSet ws={ws} set={removing?.set ?? null} runs={removing?.runs ?? 0} onClose={close} />
    </div>
  );
}

const holdsPlans = ({ evaluation }: Run): boolean =>
  evaluation.rows[0]?.metrics.some(({ metric }) => /^(?:mid|high)\./.test(metric)) ?? false;

const RUN_LINES = {
  trajectories:
    '{"id": "t1", "prediction": {"atomic": [1, 0, 1, 1], "steps": 12, "decisions": {"correct": 9, "total": 12}}}',
  scenario: '{"id": "s1", "prediction": {"score": 1, "steps": 8, "clarifications": 1}}',
} as const;

/** The set of the newest run, so that one comes back to where the work is; else the newest set. */
function firstSet(sets: readonly QuestionSet[], runs: readonly Run[]): QuestionSet | undefined {
  return sets.find(({ id }) => id === runs[0]?.set) ?? sets[0];
}

const fileName = (set: QuestionSet | undefined): string =>
  `leaderboard-${(set?.name ?? 'results').replace(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 60)}`;

function SetLine({ set, runs }: { set: QuestionSet; runs: number }): ReactNode {
  const counts = new Map<string, number>();
  // The same clicks with another aid are not more of them.
  for (const file of set.files.filter(({ file: one }) => firstFiles(set).includes(one))) {
    for (const [kind, n] of Object.entries(file.counts)) counts.set(kind, (counts.get(kind) ?? 0) + n);
  }
  const kinds = kindCounts([...counts]);
  const { dataset } = set;
  return (
    <>
      {tr('{runs, plural, one {# model} other {# models}} on {kinds}', { runs, kinds })}
      {set.tasks === null && (
        <>
          {' · '}
          {dataset
            ? trParts('data set <named>{name}, version <code>{hash}</code></named>', {
                named: (inside) => <span title={tr('Version {hash}', { hash: dataset.hash })}>{inside}</span>,
                name: dataset.name,
                code: (inside) => <code>{inside}</code>,
                hash: dataset.hash.slice(0, 12),
              })
            : tr('data set not named by its file')}
        </>
      )}
      {' · '}
      {trParts('created {time}', { time: <Time iso={set.madeAt} /> })}
    </>
  );
}

function DownloadMenu({ onCsv, onJson }: { onCsv: () => void; onJson: () => void }): ReactNode {
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={15} aria-hidden />}>
          {tr('Download')}
        </Button>
      </Menu.Target>
      <MenuItems>
        <Menu.Item rightSection={<Kbd command="evaluate.csv" />} onClick={onCsv}>
          {tr('All numbers (CSV)')}
        </Menu.Item>
        <Menu.Item rightSection={<Kbd command="evaluate.json" />} onClick={onJson}>
          {tr('Results (JSON)')}
        </Menu.Item>
      </MenuItems>
    </Menu>
  );
}
