import { Loader, SegmentedControl } from '@mantine/core';
import { IconGavel, IconPodium, IconRobot, IconRoute } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { LiveRunState, RunTableRow } from '../../schemas/api/runs.ts';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { EmptyState, PageHeader, QueryError, RowKeys, TableHead, Time } from '../ui/parts.tsx';
import { SideScroll } from '../ui/side-scroll.tsx';
import { AskJudges } from './ask-judges.tsx';
import { JudgesOf, JudgesWorth } from './judges.tsx';
import classes from './page.module.css';
import { agentWords, costText, phaseWords, runOutcomeWords, shareText, verdictWords } from './words.ts';

/** `alone`: no person took it over. */
type Help = 'all' | 'alone' | 'helped';

const isGoing = ({ phase }: LiveRunState): boolean => phase !== 'over';
/** Changes are told; a line that lets no stream through is asked over so often while runs go on, ms. */
const ALL_THE_SAME_MS = 5000;

/** Runs of models and of people on stages: those that go on, what each came to, and sums by agent, software and task. */
export function RunsPage({ ws }: { ws: string }): ReactNode {
  const [, go] = useLocation();
  const [help, setHelp] = useState<Help>('all');
  const all = useQuery({
    queryKey: ['of', ws, 'recordings', 'runs', help],
    queryFn: ({ signal }) => client.runs.list({ ws, ...(help !== 'all' && { help }) }, { signal }),
    placeholderData: keepPreviousData,
  });
  const live = useQuery({
    queryKey: ['of', ws, 'recordings', 'live-runs'],
    queryFn: ({ signal }) => client.runs.live({ ws }, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(isGoing) ? ALL_THE_SAME_MS : false),
  });
  const [chosen, setChosen] = useState(0);
  const [asksJudges, setAsksJudges] = useState(false);
  const runs = all.data?.runs ?? [];
  const at = Math.max(0, Math.min(chosen, runs.length - 1));
  const row = runs[at];
  useHandlers('runs', {
    'runs.down': () => setChosen(at + 1),
    'runs.up': () => setChosen(at - 1),
    'runs.arena': () => go(paths.arena(ws)),
    'runs.judge': { run: () => setAsksJudges(true), enabled: runs.length > 0 },
    'runs.open': { run: () => row && go(paths.annotate(ws, row.recording)), enabled: row !== undefined },
  });
  const going = (live.data ?? []).filter(isGoing);
  return (
    <div className={classes.page}>
      <PageHeader
        title={tr('Runs')}
        about={tr('What models and people did on stages, and what the checks say of it')}
        actions={
          <>
            <CommandButton
              variant="default"
              icon={IconRoute}
              command="app.compositions"
              href={paths.compositions(ws)}
              className={classes.joined}
            >
              {tr('Compositions')}
            </CommandButton>
            <CommandButton
              variant="default"
              icon={IconGavel}
              command="runs.judge"
              disabled={runs.length === 0}
              onClick={() => setAsksJudges(true)}
            >
              {tr('Ask judges')}
            </CommandButton>
            <CommandButton variant="default" icon={IconPodium} command="runs.arena" href={paths.arena(ws)}>
              {tr('Rank outcomes')}
            </CommandButton>
          </>
        }
      />
      <div className={classes.body}>
        <QueryError of={all} what={tr('The runs could not be read.')} />
        {all.isPending && <Loader size="sm" aria-label={tr('Reading the runs')} role="status" />}
        {going.length > 0 && <Going ws={ws} runs={going} />}
        {(runs.length > 0 || help !== 'all') && (
          <SegmentedControl
            size="xs"
            aria-label={tr('Runs by help')}
            className={classes.help}
            value={help}
            onChange={setHelp}
            data={[
              { value: 'all', label: tr('All runs') },
              { value: 'alone', label: tr('Models alone') },
              { value: 'helped', label: tr('With a person') },
            ]}
          />
        )}
        {all.data && runs.length === 0 && help !== 'all' && <EmptyState title={tr('No such run')} />}
        {all.data && runs.length === 0 && help === 'all' && going.length === 0 && (
          <EmptyState icon={<IconRobot size={22} />} title={tr('No runs yet')}>
            {tr(
              'Open a task that has a recipe and press “Do it on a stage”, or let a model do it by the command “run”.',
            )}
          </EmptyState>
        )}
        {runs.length > 0 && (
          <>
            <Groups groups={all.data?.groups ?? []} />
            <Rows ws={ws} runs={runs} at={at} onChoose={setChosen} />
            {row?.judged && <JudgesOf ws={ws} recording={row.recording} />}
            <JudgesWorth ws={ws} />
          </>
        )}
      </div>
      {asksJudges && (
        <AskJudges
          ws={ws}
          one={row?.recording ?? null}
          shown={runs.map(({ recording }) => recording)}
          onClose={() => setAsksJudges(false)}
        />
      )}
    </div>
  );
}

function Going({ ws, runs }: { ws: string; runs: readonly LiveRunState[] }): ReactNode {
  return (
    <section className={classes.section} aria-labelledby="runs-going">
      <h2 id="runs-going">{tr('Going on now')}</h2>
      <ul className={classes.going}>
        {runs.map((run) => (
          <li key={run.id}>
            <Link href={paths.liveRun(ws, run.id)} className={classes.link}>
              {run.task}
            </Link>{' '}
            {agentWords(run.agent, run.model)} · {phaseWords(run)}
          </li>
        ))}
      </ul>
    </section>
  );
}

type Groups = Awaited<ReturnType<typeof client.runs.list>>['groups'];

function Groups({ groups }: { groups: Groups }): ReactNode {
  const columns = [
    tr('By'),
    tr('Name'),
    tr('Success'),
    tr('Within four attempts'),
    tr('Check score'),
    tr('Completion'),
    tr('Decision accuracy'),
    tr('Requests'),
    tr('Steps over the demonstration’s'),
    tr('Wrong claims'),
    tr('Stopped though done'),
    tr('With a person'),
    tr('Cost'),
  ];
  const by = { agent: tr('Agent'), software: tr('Software'), level: tr('Level'), task: tr('Task') };
  const levels = { full: tr('full task'), simple: tr('simple task') };
  return (
    <div className={classes.section}>
      <h2 id="runs-sums">{tr('Sums')}</h2>
      <SideScroll labelledBy="runs-sums">
        <table className={classes.table}>
          <TableHead columns={columns} />
          <tbody>
            {groups.map((group) => (
              <tr key={`${group.by} ${group.name}`}>
                <td>{by[group.by]}</td>
                <th scope="row">
                  {group.by === 'level' ? (group.name === 'simple' ? levels.simple : levels.full) : group.name}
                </th>
                <td>{tr('{n, number} of {most, number}', { n: group.succeeded, most: group.runs })}</td>
                <td>{shareText(group.passAt4)}</td>
                <td>{group.score.toFixed(2)}</td>
                <td>{shareText(group.completion)}</td>
                <td>{shareText(group.accuracy)}</td>
                <td>{group.rounds.toFixed(1)}</td>
                <td>{group.stepsOver?.toFixed(2) ?? '–'}</td>
                <td>{group.silentWrong}</td>
                <td>{group.overHalt}</td>
                <td>{group.helped}</td>
                <td>{costText(group.cost)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </SideScroll>
    </div>
  );
}

function Rows(props: {
  ws: string;
  runs: readonly RunTableRow[];
  at: number;
  onChoose: (at: number) => void;
}): ReactNode {
  const { ws, runs, at, onChoose } = props;
  const columns = [
    tr('Task'),
    tr('Agent'),
    tr('Outcome'),
    tr('Check score'),
    tr('Requests'),
    tr('Steps'),
    tr('Completion'),
    tr('Decision accuracy'),
    tr('Judges'),
    tr('Cost'),
    tr('When'),
  ];
  return (
    <div className={classes.section}>
      <h2 id="runs-all">{tr('All runs')}</h2>
      <RowKeys
        keys={[
          [tr('choose'), 'runs.down', 'runs.up'],
          [tr('open it'), 'runs.open'],
        ]}
      />
      <SideScroll labelledBy="runs-all">
        <table className={classes.table}>
          <TableHead columns={columns} />
          <tbody>
            {runs.map((run, n) => (
              <tr key={run.recording} data-chosen={n === at} onClick={() => onChoose(n)}>
                <th scope="row">
                  <Link
                    href={paths.annotate(ws, run.recording)}
                    className={classes.link}
                    aria-current={n === at ? 'true' : undefined}
                  >
                    {run.task}
                  </Link>
                </th>
                <td data-name>
                  {agentWords(run.agent, run.model)}
                  {run.temperature !== null && ` · ${tr('temperature {n, number}', { n: run.temperature })}`}
                </td>
                <td data-passed={run.passed}>{runOutcomeWords(run)}</td>
                <td>{run.score.toFixed(2)}</td>
                <td>{run.rounds}</td>
                <td>{run.demonstrated === null ? run.steps : `${run.steps} / ${run.demonstrated}`}</td>
                <td>{shareText(run.completion)}</td>
                <td>{shareText(run.accuracy)}</td>
                <td>{run.judged ? verdictWords(run.judged.verdict) : '–'}</td>
                <td>{costText(run.cost)}</td>
                <td>
                  <Time iso={run.at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </SideScroll>
    </div>
  );
}
