import { Loader } from '@mantine/core';
import { IconArrowLeft, IconChecklist, IconPencil, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { largestOf } from '../../core/lists.ts';
import type { CompositionShown, LawShown, RunListed } from '../../schemas/api/compositions.ts';
import { COMPOSITION_LIMITS } from '../../schemas/limits.ts';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { usePersonId } from '../client/person.ts';
import { askerOf } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { PageHeader, QueryError, RowKeys, TableHead, Time } from '../ui/parts.tsx';
import { PrintedTables } from '../ui/printed-tables.tsx';
import { SideScroll } from '../ui/side-scroll.tsx';
import { useUndoKey } from '../ui/toast.ts';
import { useAddress } from '../ui/use-address.ts';
import { Events } from './events.tsx';
import { InstanceTable, OriginLine } from './instances.tsx';
import { eventOfLaw, givenOfLaw, stageOfLaw } from './law-words.ts';
import { LawCounts, Laws } from './laws.tsx';
import { DayLine, type ShownRun } from './line.tsx';
import { MakeInstances, useMade } from './make-instances.tsx';
import classes from './page.module.css';
import { stageName, stageStateWords, standingWords } from './verify-words.ts';
import { compositionKind, endedWords, variesWords, whoWords } from './words.ts';

/** One composition: its tasks on their line with what joins them, the laws that it breaks, its runs, and the papers' tables. */
export function CompositionPage({ ws, composition: id }: { ws: string; composition: string }): ReactNode {
  const [, go] = useLocation();
  const [run, setRun] = useState<string | null>(null);
  useAddress({ run }, (parts) => setRun(parts.run ?? null));
  const all = useQuery({
    queryKey: ['of', ws, 'recordings', 'compositions', id],
    queryFn: ({ signal }) => client.compositions.get({ ws, ...askerOf(ws), composition: id }, { signal }),
  });
  const opened = useQuery({
    queryKey: ['of', ws, 'recordings', 'compositions', id, run],
    queryFn: ({ signal }) =>
      client.compositions.run({ ws, ...askerOf(ws), composition: id, run: run ?? '' }, { signal }),
    enabled: run !== null,
  });
  const shownRun = run === null ? null : (opened.data ?? null);
  // A run is shown on the composition as it was then.
  const composition = shownRun?.composition ?? all.data?.composition ?? null;
  const runs = all.data?.runs ?? [];
  const [chosen, setChosen] = useState(0);
  const at = Math.max(0, Math.min(chosen, (composition?.members.length ?? 0) - 1));
  const member = composition?.members[at];
  const recording = (shownRun && member && recordingIn(shownRun, member.id)) ?? null;
  const task = member?.task ?? null;
  const [making, setMaking] = useState(false);
  const [begun, setBegun] = useState<{ of: string; job: string } | null>(null);
  const made = useMade(ws, id, begun?.of === id ? begun.job : null);
  const template = all.data?.composition;
  const isTemplate = template?.given.some(({ varies }) => varies !== null) ?? false;
  const about = useQuery({
    queryKey: ['of', ws, 'recordings', 'compositions', '', 'about'],
    queryFn: ({ signal }) => client.compositions.about({ ws, ...askerOf(ws) }, { signal }),
    enabled: isTemplate,
  });
  // A key that is pressed before the answer is there is not lost: the studio refuses where nothing can be written.
  const canMake = isTemplate && (about.data?.unwritable ?? null) === null;
  const runBy = (n: number): void => {
    const place = runs.findIndex((one) => one.id === run);
    const next = runs[place === -1 ? (n > 0 ? 0 : runs.length - 1) : place + n];
    setRun(next?.id ?? null);
  };
  useHandlers('composition', {
    'composition.down': () => setChosen(at + 1),
    'composition.up': () => setChosen(at - 1),
    'composition.recording': {
      run: () => recording !== null && go(paths.annotate(ws, recording)),
      enabled: recording !== null,
    },
    'composition.task': { run: () => task !== null && go(paths.task(ws, task)), enabled: task !== null },
    'composition.nextRun': { run: () => runBy(1), enabled: runs.length > 0 },
    'composition.previousRun': { run: () => runBy(-1), enabled: runs.length > 0 },
    'composition.edit': { run: () => go(paths.editComposition(ws, id)), enabled: all.data !== undefined },
    'composition.instances': { run: () => setMaking(true), enabled: canMake },
    'composition.verify': () => go(paths.verify(ws, id)),
    'composition.check': () => void all.refetch(),
    'composition.back': () => (run === null ? go(paths.compositions(ws)) : setRun(null)),
  });
  const laws = all.data?.laws ?? [];
  useUndoKey('composition');
  return (
    <div className={classes.page}>
      <PageHeader
        title={composition?.title ?? id}
        above={
          <Link href={paths.compositions(ws)} className={classes.upper}>
            <IconArrowLeft size={13} aria-hidden /> {tr('Compositions')}
          </Link>
        }
        about={composition && <About composition={composition} laws={laws} />}
        actions={
          <>
            <CommandButton icon={IconPencil} command="composition.edit" href={paths.editComposition(ws, id)}>
              {tr('Edit')}
            </CommandButton>
            <CommandButton
              variant="default"
              icon={IconChecklist}
              command="composition.verify"
              href={paths.verify(ws, id)}
            >
              {tr('Verify')}
            </CommandButton>
            <CommandButton
              variant="default"
              icon={IconRefresh}
              command="composition.check"
              loading={all.isFetching}
              onClick={() => void all.refetch()}
            >
              {tr('Check again')}
            </CommandButton>
          </>
        }
      />
      <div className={classes.body}>
        <QueryError of={all} what={tr('The composition could not be read.')} />
        {run !== null && <QueryError of={opened} what={tr('The run could not be read.')} />}
        {all.isPending && <Loader size="sm" aria-label={tr('Reading the composition')} role="status" />}
        {composition && (
          <>
            <OriginLine ws={ws} origin={composition.origin} />
            <Told composition={composition} laws={laws} />
            <Verified ws={ws} id={id} />
            <Laws laws={laws.filter(isOfAll)} />
            <div className={classes.section}>
              <div className={classes.sectionHead}>
                <h2 id="composition-tasks">
                  {shownRun ? tr('Tasks, and the run {run}', { run: shownRun.run.id }) : tr('Tasks')}
                </h2>
                <RowKeys
                  keys={[
                    [tr('choose'), 'composition.down', 'composition.up'],
                    [tr('its task'), 'composition.task'],
                    ...(shownRun ? [[tr('its recording'), 'composition.recording'] as const] : []),
                    ...(runs.length > 0 ? [[tr('runs'), 'composition.nextRun'] as const] : []),
                  ]}
                />
              </div>
              {shownRun && <RunTold run={shownRun.run} />}
              <DayLine
                ws={ws}
                composition={composition}
                laws={laws}
                run={shownRun && { ...shownRun, level: shownRun.run.level }}
                at={at}
                onChoose={setChosen}
              />
            </div>
            <Events composition={composition} laws={laws} ran={shownRun?.events ?? null} />
          </>
        )}
        {all.data && (
          <>
            <InstanceTable
              ws={ws}
              composition={all.data.composition}
              instances={all.data.instances}
              canMake={canMake}
              onMake={() => setMaking(true)}
            />
            <Runs ws={ws} id={id} runs={runs} shown={run} />
            {all.data.unread.map((one) => (
              <p key={one.id} className={classes.why}>
                {one.id}: {one.why}
              </p>
            ))}
            <PrintedTables heading={tr('Scores of its runs')} tables={all.data.scores} open />
            <PrintedTables heading={tr('As the papers print it')} tables={all.data.tables} />
          </>
        )}
      </div>
      {making && template && (
        <MakeInstances
          ws={ws}
          composition={template}
          freshSeed={Math.min(
            COMPOSITION_LIMITS.seed,
            Math.max(1, largestOf((all.data?.instances ?? []).map(({ seed }) => seed + 1))),
          )}
          onBegun={(job) => setBegun({ of: id, job })}
          made={made}
          onClose={() => setMaking(false)}
        />
      )}
    </div>
  );
}

/** The recording of a task in a run, also of one that was broken off. */
function recordingIn({ results, half }: Pick<ShownRun, 'results' | 'half'>, member: string): string | null {
  const whole = results.find((result) => result.member === member)?.recording;
  return whole ?? (half?.member === member ? half.recording : null);
}

function About({ composition, laws }: { composition: CompositionShown; laws: readonly LawShown[] }): ReactNode {
  const { kind, level, members } = composition;
  const broken = laws.filter((law) => law.kind === 'broken').length;
  return (
    <span className={classes.counts}>
      <span>
        {compositionKind(kind)} · {tr('{n, plural, one {# task} other {# tasks}}', { n: members.length })}
        {level !== null && ` · ${tr('level {level, number}', { level })}`}
      </span>
      <LawCounts broken={broken} notes={laws.length - broken} />
    </span>
  );
}

/** Its three stages of verification in a line, each with its state. */
function Verified({ ws, id }: { ws: string; id: string }): ReactNode {
  const { data } = useQuery({
    queryKey: ['of', ws, 'recordings', 'compositions', id, 'verification', usePersonId(ws)],
    queryFn: ({ signal }) => client.compositions.verification({ ws, composition: id, ...askerOf(ws) }, { signal }),
  });
  if (!data) return null;
  return (
    <p className={classes.told}>
      <Link href={paths.verify(ws, id)} className={classes.link}>
        {standingWords(data.standing)}
      </Link>
      {data.standing.stages.map((one) => (
        <span key={one.stage} className={classes.stage} data-state={one.state}>
          {tr('{stage}: {state}', { stage: stageName(one.stage), state: stageStateWords(one) })}
        </span>
      ))}
    </p>
  );
}

/** Whether a law is about the whole composition: it stands at no task, event, value or stage. */
const isOfAll = (law: LawShown): boolean =>
  law.member === null && eventOfLaw(law) === null && givenOfLaw(law) === null && stageOfLaw(law) === null;

const isOfStage = (law: LawShown): boolean => stageOfLaw(law) !== null;

type Fact = { name: string; value: string; laws?: readonly LawShown[] };

/** Values known before the first task, and the stages. */
function Told({ composition, laws }: { composition: CompositionShown; laws: readonly LawShown[] }): ReactNode {
  const { task, persona, given, preferences, stages } = composition;
  const stagesText = stages.map(({ name, platform }) => `${name} (${platform})`).join(', ');
  const facts: Fact[] = [
    ...(task === null ? [] : [{ name: tr('The whole task'), value: task }]),
    ...(persona === null ? [] : [{ name: tr('Person'), value: persona }]),
    ...given.map((one): Fact => {
      const how = one.varies === null ? '' : ` (${variesWords(one.varies)})`;
      return {
        name: `given.${one.name}`,
        value: one.value + how,
        laws: laws.filter((law) => givenOfLaw(law) === one.name),
      };
    }),
    ...preferences.map((value) => ({ name: tr('Preference'), value })),
    ...(stages.length === 0 ? [] : [{ name: tr('Stages'), value: stagesText, laws: laws.filter(isOfStage) }]),
  ];
  if (facts.length === 0) return null;
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, value, laws: about = [] }, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two preferences have one name
        <div key={n}>
          <dt>{name}</dt>
          <dd>
            {value}
            <Laws laws={about} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function RunTold({ run }: { run: RunListed }): ReactNode {
  return (
    <p className={classes.told}>
      {tr('{who}, at {level}: {passed, number} of {tasks, number} succeeded', {
        who: whoWords(run.actor),
        level: run.level,
        passed: run.passed,
        tasks: run.tasks,
      })}
      {' · '}
      {endedWords(run)}
    </p>
  );
}

function Runs(props: { ws: string; id: string; runs: readonly RunListed[]; shown: string | null }): ReactNode {
  const { ws, id, runs, shown } = props;
  const columns = [
    tr('Run'),
    tr('When'),
    tr('By'),
    tr('Level'),
    tr('Succeeded'),
    tr('Failed'),
    tr('Passed over'),
    tr('Steps'),
    tr('Questions'),
    tr('End'),
  ];
  return (
    <div className={classes.section}>
      <h2 id="composition-runs">{tr('Runs')}</h2>
      {runs.length === 0 ? (
        <p className={classes.fine}>
          {tr('It was not run yet. The command “run --composition {id}” does it.', { id })}
        </p>
      ) : (
        <SideScroll labelledBy="composition-runs">
          <table className={classes.list}>
            <TableHead columns={columns} />
            <tbody>
              {runs.map((run) => (
                <tr key={run.id} data-chosen={run.id === shown}>
                  <th scope="row">
                    <Link
                      href={paths.composition(ws, id, run.id)}
                      className={classes.link}
                      aria-current={run.id === shown ? 'true' : undefined}
                    >
                      {run.id}
                    </Link>
                  </th>
                  <td>
                    <Time iso={run.at} />
                  </td>
                  <td>{whoWords(run.actor)}</td>
                  <td>{run.level}</td>
                  <td>{tr('{n, number} of {most, number}', { n: run.passed, most: run.tasks })}</td>
                  <td>{run.failed}</td>
                  <td>{run.passedOver}</td>
                  <td>{run.steps}</td>
                  <td>{run.questions}</td>
                  <td className={classes.words}>{endedWords(run)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </SideScroll>
      )}
    </div>
  );
}
