import { Badge } from '@mantine/core';
import { IconChecklist, IconCloudUp, IconRuler2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { RecordingRow } from '../../schemas/api/models.ts';
import type { WorkItem } from '../../schemas/api/review-models.ts';
import { placeOfWork } from '../client/next-work.ts';
import { paths } from '../client/paths.ts';
import { askWho, usePerson, usePersonId, usePersonName } from '../client/person.ts';
import { queries } from '../client/queries.ts';
import { useMe } from '../client/team.ts';
import { tr } from '../language/tr.ts';
import { AssignDialog } from '../lists/assign-dialog.tsx';
import { Thumb } from '../lists/thumb.tsx';
import { dayOf, localDay } from '../ui/format.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { Clamp, EmptyState, PageHeader, QueryError, RowKeys, Time } from '../ui/parts.tsx';
import { StateLabel } from '../ui/states.tsx';
import { WhoAreYou } from '../ui/who-are-you.tsx';
import classes from './page.module.css';
import { PolicyDialog } from './policy-dialog.tsx';
import { ServerDialog } from './server-dialog.tsx';
import { ServerPart } from './server-part.tsx';
import { serverQueries } from './server-queries.ts';
import { WORK_NAMES, whyGiven } from './words.ts';

/** The work of the chosen person, in the order in which it should be done. */
export function WorkPage({ ws }: { ws: string }): ReactNode {
  const [, go] = useLocation();
  const person = usePersonId(ws);
  const name = usePerson(ws)?.name;
  const queue = useQuery({ ...queries.work(ws, person ?? ''), enabled: person !== null });
  const [chosen, setChosen] = useState(0);
  const [policy, setPolicy] = useState(false);
  const [naming, setNaming] = useState(false);
  const me = useMe();
  // A team's own server has no server of its own.
  const origin = useQuery({ ...serverQueries.server(), enabled: me === null }).data?.origin ?? null;
  const list = useRef<HTMLOListElement>(null);
  const items = queue.data ?? [];
  const at = Math.max(0, Math.min(chosen, items.length - 1));
  const item = items[at];
  const turns = [...new Set(items.map(turnOf))];
  const [assigning, setAssigning] = useState<readonly RecordingRow[] | null>(null);
  const recordings = useQuery({ ...queries.recordings(ws), enabled: item !== undefined }).data;
  const row = recordings?.find(({ id }) => id === item?.recording);
  useHandlers('work', {
    'work.down': () => setChosen(Math.min(at + 1, items.length - 1)),
    'work.up': () => setChosen(Math.max(0, at - 1)),
    'work.open': { run: () => item && go(placeOfWork(ws, item)), enabled: item !== undefined },
    'work.assign': { run: () => row && setAssigning([row]), enabled: row !== undefined },
    'work.policy': () => setPolicy(true),
    'work.server': { run: () => setNaming(true), enabled: me === null },
  });
  useEffect(() => {
    list.current?.querySelector(`[data-at="${at}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <div className={classes.page}>
      <PageHeader
        title={tr('My work')}
        about={person === null ? tr('No name chosen') : queue.data ? about(name, items) : tr('Loading your work …')}
        actions={
          <>
            {me === null && (
              <CommandButton variant="default" icon={IconCloudUp} command="work.server" onClick={() => setNaming(true)}>
                {tr('Team server')}
              </CommandButton>
            )}
            <CommandButton variant="default" icon={IconRuler2} command="work.policy" onClick={() => setPolicy(true)}>
              {tr('Review policy')}
            </CommandButton>
          </>
        }
      />
      {person === null && (
        <WhoAreYou onChoose={() => askWho()}>
          {tr('Work is given to people: nobody reviews their own, and blind annotations are kept apart.')}
        </WhoAreYou>
      )}
      <QueryError of={queue} what={tr('The queue could not be read.')} />
      {queue.data && items.length === 0 && (
        <EmptyState
          icon={<IconChecklist size={22} />}
          title={tr('Nothing is waiting for you')}
          actions={
            <CommandButton href={paths.recordings(ws)} variant="default" command="app.recordings">
              {tr('All recordings')}
            </CommandButton>
          }
        >
          {tr(
            'Work appears when something is recorded, submitted by someone else, or sent back to you. This page shows it by itself.',
          )}
        </EmptyState>
      )}
      {items.length > 0 && (
        <>
          <div className={classes.keys}>
            <RowKeys
              keys={[
                [tr('choose'), 'work.down', 'work.up'],
                [tr('open it'), 'work.open'],
                [tr('assign it'), 'work.assign'],
              ]}
            />
          </div>
          <ol className={classes.list} aria-label={tr('Work, the next first')} ref={list}>
            {items.map((one, index) => (
              <li key={`${one.kind}:${one.recording}`}>
                {turns.length > 1 && turnOf(one) !== (index > 0 && turnOf(items[index - 1]!)) && (
                  <h2 className={classes.turn}>{TURNS[turnOf(one)]}</h2>
                )}
                <Link
                  href={placeOfWork(ws, one)}
                  className={classes.item}
                  data-at={index}
                  data-chosen={index === at}
                  aria-current={index === at ? 'true' : undefined}
                  onFocus={() => setChosen(index)}
                >
                  <Piece ws={ws} item={one} next={index === 0} />
                </Link>
              </li>
            ))}
          </ol>
        </>
      )}
      <AssignDialog ws={ws} rows={assigning} scope={null} onClose={() => setAssigning(null)} />
      {origin !== null && <ServerPart ws={ws} origin={origin} />}
      {naming && <ServerDialog origin={origin} onClose={() => setNaming(false)} />}
      <PolicyDialog ws={ws} opened={policy} onClose={() => setPolicy(false)} />
    </div>
  );
}

/** What is assigned to the person comes first and what is assigned to others last (RV11). */
const turnOf = ({ assigned, others, mine }: WorkItem): 'theirs' | 'free' | 'others' => {
  if (assigned) return 'theirs';
  return others && others.length > 0 && !mine ? 'others' : 'free';
};
const TURNS = {
  theirs: tr('Assigned to you'),
  free: tr('For everybody'),
  others: tr('Assigned to others'),
};

function about(name: string | undefined, items: readonly WorkItem[]): string {
  const mine = items.filter((item) => item.mine).length;
  const named = { name: name ?? tr('You'), items: items.length, mine };
  return mine > 0
    ? tr('{name}: {items, plural, one {# item} other {# items}}, {mine} in progress', named)
    : tr('{name}: {items, plural, one {# item} other {# items}}', named);
}

function Piece({ ws, item, next }: { ws: string; item: WorkItem; next: boolean }): ReactNode {
  const { kind, task, goal, state, steps, done, open, asked, mine, since, assigned } = item;
  const name = usePersonName(ws);
  const late = assigned?.due != null && assigned.due < localDay(new Date());
  return (
    <>
      <span className={classes.kind} data-kind={kind}>
        {WORK_NAMES[kind]}
      </span>
      <Thumb ws={ws} recording={item.recording} />
      <span className={classes.what}>
        <span className={classes.title}>
          <strong>{task}</strong>
          <Clamp>{goal || tr('No goal yet')}</Clamp>
        </span>
        <span className={classes.why}>{whyGiven(item, name)}</span>
      </span>
      {assigned?.due && (
        <span className={classes.due} data-late={late || undefined}>
          {late ? tr('overdue {day}', { day: dayOf(assigned.due) }) : tr('by {day}', { day: dayOf(assigned.due) })}
        </span>
      )}
      {next && <Badge size="sm">{tr('next')}</Badge>}
      {mine && (
        <Badge size="sm" color="gray">
          {tr('begun')}
        </Badge>
      )}
      {asked > 0 && kind !== 'answer' && (
        <Badge size="sm" className={classes.open}>
          {tr('mentions you')}
        </Badge>
      )}
      {open > 0 && (
        <Badge size="sm" color="red" className={classes.open}>
          {tr('{open} to answer', { open })}
        </Badge>
      )}
      <span className={classes.state}>
        <StateLabel state={state} />
      </span>
      <span className={classes.steps}>
        {steps === null
          ? ''
          : done === null
            ? tr('{steps, plural, one {# step} other {# steps}}', { steps })
            : tr('{done} of {steps, plural, one {# step} other {# steps}}', { done, steps })}
      </span>
      <span className={classes.since}>
        <Time iso={since} />
      </span>
    </>
  );
}
