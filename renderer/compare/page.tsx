import { Button, Loader } from '@mantine/core';
import { IconArrowsDiff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { toError } from '../client/api.ts';
import { onHealed } from '../client/connection.ts';
import { paths } from '../client/paths.ts';
import { askWho, usePersonId, usePersonName } from '../client/person.ts';
import { tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { EmptyState, ErrorPanel } from '../ui/parts.tsx';
import { WhoAreYou } from '../ui/who-are-you.tsx';
import { ToolsContext, useTools } from '../workbench/context.ts';
import { MAIN_DOCUMENT } from '../workbench/labels.ts';
import { OpenedRecordingPage } from '../workbench/opened.tsx';
import { useWork, useWorkStore } from '../workbench/store.ts';
import classes from '../workbench/workbench.module.css';
import { followWrites, makeComparing } from './actions.ts';
import { type Loaded, loadComparison } from './load.ts';
import type { ComparedSide } from './sides.ts';
import { CompareContext, createCompareStore } from './store.ts';
import { CompareWorkspace } from './workspace.tsx';

/** Replicas of one recording side by side; for who adjudicates it, the place where they become one. */
export function ComparePage({ ws, recording }: { ws: string; recording: string }): ReactNode {
  const person = usePersonId(ws);
  const autoAdvance = useRef(false);
  if (person === null) {
    return (
      <WhoAreYou wholePage onChoose={() => askWho()}>
        {tr(
          'Who annotates a recording blind must not see what others made of it. So the studio asks who wants to compare.',
        )}
      </WhoAreYou>
    );
  }
  return (
    <OpenedRecordingPage
      ws={ws}
      recording={recording}
      page="compare"
      title={tr('Compare')}
      document={null}
      autoAdvance={autoAdvance}
    >
      <Comparing person={person} />
    </OpenedRecordingPage>
  );
}

/** The recording is open; what its replicas say is fetched once. They were submitted, so they stay as they are. */
function Comparing({ person }: { person: string }): ReactNode {
  const ws = useWork((state) => state.ws);
  const opened = useWork((state) => state.opened);
  const [search] = useSearchParams();
  const documents = search.getAll('document');
  const { data, error, refetch } = useQuery({
    queryKey: ['of', ws, 'comparison', opened.row.id, person, documents],
    queryFn: () => loadComparison({ ws, person, opened, documents }),
    // Made anew each time the page is opened: what was written meanwhile is part of it.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  useEffect(() => (error ? onHealed(() => void refetch()) : undefined), [error, refetch]);
  if (error) return <NotComparable error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <div className={classes.loading}>
        <Loader size="sm" aria-label={tr('Comparing')} role="status" />
      </div>
    );
  }
  return <Compared loaded={data} />;
}

/** Not yet, or not for this person: the studio says why. */
function NotComparable({ error, onRetry }: { error: unknown; onRetry: () => void }): ReactNode {
  const ws = useWork((state) => state.ws);
  const recording = useWork((state) => state.opened.row.id);
  const { code, message } = toError(error);
  if (code !== 'CONFLICT' && code !== 'USAGE') {
    return (
      <div className={classes.failed}>
        <h1 className="visually-hidden">{tr('Compare {recording}', { recording })}</h1>
        <ErrorPanel error={error} what={tr('What differs could not be found.')} onRetry={onRetry} />
      </div>
    );
  }
  return (
    <EmptyState
      wholePage
      icon={<IconArrowsDiff size={22} />}
      title={tr('There is nothing to compare yet')}
      actions={
        <>
          <Button component={Link} href={paths.annotate(ws, recording)} variant="default">
            {tr('Open the annotation')}
          </Button>
          <CommandButton href={paths.work(ws)} command="app.work">
            {tr('My work')}
          </CommandButton>
        </>
      }
    >
      {message}
    </EmptyState>
  );
}

function Compared({ loaded }: { loaded: Loaded }): ReactNode {
  const work = useWorkStore();
  const tools = useTools();
  const name = usePersonName(work.getState().ws);
  const latest = useRef(name);
  latest.current = name;
  const nameOf = useMemo(
    () => (side: ComparedSide) => (side.person === null ? tr(MAIN_DOCUMENT) : latest.current(side.person)),
    [],
  );
  const [made] = useState(() => {
    const store = createCompareStore(loaded);
    const ask = tools.review?.ask ?? (() => Promise.reject(new Error(tr('Choose your name first (Alt+P).'))));
    const actions = makeComparing({ work, compare: store, actions: tools.actions, ask, nameOf });
    const over = {
      ...tools,
      actions: {
        ...tools.actions,
        // From a field too, "confirm and go on" settles, and undo takes back what was settled, never what all agree on.
        confirmAndGo: actions.settle,
        undo: actions.undo,
        redo: () => tools.actions.say(tr('Settle it again with its digit or Enter.'), 'info'),
      },
    };
    return { compare: { store, actions }, tools: over };
  });
  useEffect(() => followWrites(work, made.compare.store), [work, made]);
  useEffect(() => {
    const rows = made.compare.actions.rows();
    const first = rows.find(({ standing }) => standing.state !== 'settled') ?? rows[0];
    if (first) made.compare.actions.select(first.difference.id);
  }, [made]);
  return (
    <ToolsContext value={made.tools}>
      <CompareContext value={made.compare}>
        <CompareWorkspace nameOf={nameOf} />
      </CompareContext>
    </ToolsContext>
  );
}
