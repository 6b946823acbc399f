import { Anchor, Button, Loader } from '@mantine/core';
import { IconArrowBackUp, IconCheck, IconPodium } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { ArenaSetShown } from '../../schemas/api/arena.ts';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { askWho, usePersonId } from '../client/person.ts';
import { tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { EmptyState, ErrorPanel, PageHeader, QueryError } from '../ui/parts.tsx';
import { WhoAreYou } from '../ui/who-are-you.tsx';
import classes from './arena.module.css';
import { ArenaResult } from './arena-result.tsx';
import { place, type RankingMade, rankOf, takeLastBack } from './ranking.ts';

const LETTERS = ['A', 'B', 'C', 'D', 'E'] as const;

/** What came of runs of one task is ranked without names; when nothing is left to rank, what all rankings come to. */
export function ArenaPage({ ws }: { ws: string }): ReactNode {
  const person = usePersonId(ws);
  return (
    <div className={classes.page}>
      {person === null ? (
        <>
          <ArenaHeader ws={ws} />
          <WhoAreYou onChoose={() => askWho()}>
            {tr('Each person ranks every outcome once, so it must be known whose a ranking is.')}
          </WhoAreYou>
        </>
      ) : (
        <ArenaOf key={person} ws={ws} person={person} />
      )}
    </div>
  );
}

function ArenaHeader({ ws, about, actions }: { ws: string; about?: string; actions?: ReactNode }): ReactNode {
  return (
    <PageHeader
      title={tr('Arena')}
      above={
        <Anchor component={Link} href={paths.runs(ws)} size="xs">
          {tr('Runs')}
        </Anchor>
      }
      about={about ?? tr('Outcomes of the same task, ranked without names')}
      actions={actions}
    />
  );
}

function ArenaOf({ ws, person }: { ws: string; person: string }): ReactNode {
  const [, go] = useLocation();
  const next = useQuery({
    queryKey: ['of', ws, 'arena', 'next', person],
    queryFn: ({ signal }) => client.arena.next({ ws, person }, { signal }),
  });
  const set = next.data?.set ?? null;
  const [made, setMade] = useState<{ set: string; ranking: RankingMade }>({ set: '', ranking: [] });
  const ranking = made.set === set?.id ? made.ranking : [];
  const [isLarge, setLarge] = useState(false);
  const letters = set?.outcomes.map(({ letter }) => letter) ?? [];
  const isWhole = set !== null && ranking.flat().length === letters.length;
  const change = (to: RankingMade): void => setMade({ set: set?.id ?? '', ranking: to });
  const keep = useMutation({
    mutationFn: () => client.arena.rank({ ws, person, set: set?.id ?? '', order: ranking.map((group) => [...group]) }),
    onSettled: () => next.refetch(),
  });
  const undo = useMutation({
    mutationFn: () => client.arena.undo({ ws, person }),
    onSettled: () => next.refetch(),
  });
  const isBusy = keep.isPending || undo.isPending;
  const canUndo = !isBusy && (next.data?.done ?? 0) > 0;
  const onPlace = (letter: string, isTie: boolean): void => change(place(ranking, letter, isTie));
  const placing = (letter: string, isTie: boolean) => ({
    run: () => onPlace(letter, isTie),
    enabled: letters.includes(letter) && !isBusy,
  });
  useHandlers('arena', {
    ...Object.fromEntries(
      LETTERS.flatMap((letter) => [
        [`arena.next${letter}`, placing(letter, false)],
        [`arena.tie${letter}`, placing(letter, true)],
      ]),
    ),
    'arena.back': { run: () => change(takeLastBack(ranking)), enabled: ranking.length > 0 && !isBusy },
    'arena.keep': { run: () => keep.mutate(), enabled: isWhole && !isBusy },
    'arena.undo': { run: () => undo.mutate(), enabled: canUndo },
    'arena.large': { run: () => setLarge(!isLarge), enabled: set !== null },
    'arena.runs': () => go(paths.runs(ws)),
  });
  const { done = 0, left = 0 } = next.data ?? {};
  return (
    <>
      <ArenaHeader
        ws={ws}
        about={next.data ? tr('{done, number} ranked by you, {left, number} left', { done, left }) : ''}
        actions={
          <>
            <CommandButton
              variant="default"
              icon={IconArrowBackUp}
              command="arena.undo"
              disabled={!canUndo}
              onClick={() => undo.mutate()}
            >
              {tr('Take the last ranking back')}
            </CommandButton>
            {set && (
              <CommandButton
                icon={IconCheck}
                command="arena.keep"
                disabled={!isWhole}
                loading={keep.isPending}
                onClick={() => keep.mutate()}
              >
                {tr('Keep this ranking')}
              </CommandButton>
            )}
          </>
        }
      />
      <div className={classes.body}>
        <QueryError of={next} what={tr('The outcomes could not be read.')} />
        {keep.error && <ErrorPanel error={keep.error} what={tr('The ranking was not kept.')} />}
        {undo.error && <ErrorPanel error={undo.error} compact />}
        {next.isPending && <Loader size="sm" aria-label={tr('Reading the outcomes')} role="status" />}
        {set && <SetOf set={set} ranking={ranking} isLarge={isLarge} onPlace={onPlace} onLarge={setLarge} />}
        {next.data && !set && done > 0 && <ArenaResult ws={ws} person={person} />}
        {next.data && !set && done === 0 && (
          <EmptyState icon={<IconPodium size={22} />} title={tr('Nothing to rank')}>
            {tr('Outcomes are compared when two agents or more, or an agent and a person, have done the same task.')}
          </EmptyState>
        )}
      </div>
    </>
  );
}

type SetProps = {
  set: ArenaSetShown;
  ranking: RankingMade;
  isLarge: boolean;
  onPlace: (letter: string, isTie: boolean) => void;
  onLarge: (isLarge: boolean) => void;
};

function SetOf({ set, ranking, isLarge, onPlace, onLarge }: SetProps): ReactNode {
  const { task, goal, demonstration, outcomes } = set;
  return (
    <>
      <section className={classes.goal} aria-labelledby="arena-goal">
        <h2 id="arena-goal">{goal || task}</h2>
        <p>{tr('Press the letter of the best outcome, then of the next; with Shift it is as good as the last.')}</p>
        <Button variant="default" size="compact-sm" aria-pressed={isLarge} onClick={() => onLarge(!isLarge)}>
          {tr('Large pictures')}
        </Button>
      </section>
      <p className={classes.order} role="status">
        {ranking.length === 0 ? tr('Nothing is placed yet.') : ranking.map((group) => group.join(' = ')).join(' > ')}
      </p>
      <div className={classes.outcomes} data-large={isLarge}>
        {demonstration && (
          <figure className={classes.outcome} data-shown="person">
            <figcaption>{tr('A person’s demonstration')}</figcaption>
            <Picture picture={demonstration.picture} alt={tr('The screen at the end of the demonstration')} />
            <Files files={demonstration.files} />
          </figure>
        )}
        {outcomes.map(({ letter, picture, answer, files }) => {
          const rank = rankOf(ranking, letter);
          return (
            <figure key={letter} className={classes.outcome} data-placed={rank !== null}>
              <figcaption>
                <Button
                  size="compact-sm"
                  variant={rank === null ? 'default' : 'filled'}
                  onClick={(event) => onPlace(letter, event.shiftKey)}
                >
                  {rank === null
                    ? tr('Outcome {letter}', { letter })
                    : tr('Outcome {letter}: place {rank, number}', { letter, rank })}
                </Button>
              </figcaption>
              <Picture picture={picture} alt={tr('The screen at the end of outcome {letter}', { letter })} />
              {answer !== null && <p className={classes.answer}>{tr('It answered: “{answer}”', { answer })}</p>}
              <Files files={files} />
            </figure>
          );
        })}
      </div>
    </>
  );
}

function Picture({ picture, alt }: { picture: string | null; alt: string }): ReactNode {
  if (picture === null) return <p className={classes.none}>{tr('No picture was recorded.')}</p>;
  return <img src={picture} alt={alt} className={classes.picture} />;
}

function Files({ files }: { files: readonly string[] }): ReactNode {
  if (files.length === 0) return null;
  return (
    <details className={classes.files}>
      <summary>{tr('{n, plural, one {# file written} other {# files written}}', { n: files.length })}</summary>
      <ul>
        {files.map((file) => (
          <li key={file}>{file}</li>
        ))}
      </ul>
    </details>
  );
}
