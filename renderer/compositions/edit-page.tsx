import { Button, Loader } from '@mantine/core';
import { IconArrowLeft, IconDeviceFloppy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Composition } from '../../schemas/composition.ts';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { askerOf } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { fullTime } from '../ui/format.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { leaveNow, useAskBeforeLeaving } from '../ui/leaving.ts';
import { ErrorPanel, PageHeader, QueryError } from '../ui/parts.tsx';
import { changed, type Edits, redone, undone } from './draft.ts';
import { dropDraft, dropSavedDraft, updateDraft } from './drafts.ts';
import classes from './edit.module.css';
import { LeaveDialog } from './edit-dialogs.tsx';
import { type Editing, EditingProvider } from './editing.ts';
import { Editor } from './editor.tsx';
import { type Faults, faultsOf, rowAtFault } from './faults.ts';
import { eventOfLaw } from './law-words.ts';
import { LawCounts } from './laws.tsx';
import { dropLeft, keepLeft, leftEdits, takeLeft } from './left-edits.ts';
import { useLaws } from './use-laws.ts';
import { useSaving } from './use-saving.ts';
import { compositionKind } from './words.ts';

/** A composition is written here: its tasks, what joins them, and everything that is said of them. */
export function EditCompositionPage({ ws, composition: id }: { ws: string; composition: string }): ReactNode {
  const saving = useSaving(ws, id);
  const { draft, file } = saving;
  // Unsaved edits stay, for whoever comes back by the browser's own way.
  useEffect(() => () => dropSavedDraft(ws, id), [ws, id]);
  useEffect(() => keepLeft(), []);
  if (draft) return <Edited ws={ws} id={id} saving={saving} now={draft.now} />;
  return (
    <div className={classes.page}>
      <PageHeader title={id} above={<Up ws={ws} id={null} />} />
      <LeftNotice ws={ws} id={id} draft={undefined} />
      <QueryError of={file} what={tr('The composition could not be read.')} />
      {file.isPending && <Loader size="sm" aria-label={tr('Reading the composition')} role="status" />}
    </div>
  );
}

type Saving = ReturnType<typeof useSaving>;

function Edited(props: { ws: string; id: string; saving: Saving; now: Composition }): ReactNode {
  const { ws, id, saving, now } = props;
  const { draft, save, unsaved, theirs } = saving;
  const [, go] = useLocation();
  const [leaving, setLeaving] = useState<{ go: () => void } | null>(null);
  const [tried, setTried] = useState(false);
  /** The row that is chosen: 0 is the composition itself. */
  const [at, setAt] = useState(now.members.length === 0 ? 0 : 1);
  const about = useQuery({
    queryKey: ['of', ws, 'recordings', 'compositions', '', 'about'],
    queryFn: ({ signal }) => client.compositions.about({ ws, ...askerOf(ws) }, { signal }),
  });
  const unwritable = about.data?.unwritable ?? null;
  const faults = useMemo(() => faultsOf(now), [now]);
  const { laws, services, contents } = useLaws(ws, now);
  useAskBeforeLeaving(unsaved, (onward) => setLeaving({ go: onward }));

  const change: Editing['change'] = (next, writing) => {
    if (unwritable !== null) return;
    updateDraft(ws, id, (before) =>
      changed(before, typeof next === 'function' ? next(before.now) : next, writing ?? null),
    );
  };
  const store = async (): Promise<boolean> => {
    const [first] = faults.keys();
    setTried(first !== undefined);
    if (first !== undefined) {
      setAt(rowAtFault(first, now));
      return false;
    }
    if (!unsaved || save.isPending || unwritable !== null || theirs) return !unsaved;
    return save.mutateAsync().then(
      () => true,
      () => false,
    );
  };
  const editing: Editing = {
    composition: now,
    change,
    fault: (field) => {
      const found = faults.get(field);
      return found && (tried || !found.isEmpty) ? found.words : undefined;
    },
    lawsOf: (member, level) =>
      laws.filter((law) => law.member === member && law.level === (level ?? null) && eventOfLaw(law) === null),
    lawsOfEvent: (event) => laws.filter((law) => eventOfLaw(law) === event),
    services,
    contents,
    isLocked: unwritable !== null,
  };
  const broken = laws.filter(({ kind }) => kind === 'broken').length;
  return (
    <EditingProvider value={editing}>
      <div className={classes.page}>
        <PageHeader
          title={now.title || id}
          above={<Up ws={ws} id={draft?.version === null ? null : id} />}
          about={
            <span className={classes.about}>
              <span>
                {compositionKind(now.kind)} · {id}
              </span>
              <LawCounts broken={broken} notes={laws.length - broken} />
              <span role="status" data-unsaved={unsaved || undefined}>
                {unsaved ? tr('Not saved yet') : tr('Saved')}
              </span>
            </span>
          }
          actions={
            <>
              <CommandButton
                variant="default"
                command="compose.undo"
                disabled={draft?.past.length === 0}
                onClick={() => updateDraft(ws, id, undone)}
              >
                {tr('Undo')}
              </CommandButton>
              <CommandButton
                variant="default"
                command="compose.redo"
                disabled={draft?.future.length === 0}
                onClick={() => updateDraft(ws, id, redone)}
              >
                {tr('Redo')}
              </CommandButton>
              <CommandButton
                icon={IconDeviceFloppy}
                command="compose.save"
                loading={save.isPending}
                disabled={!unsaved || unwritable !== null}
                onClick={() => void store()}
              >
                {tr('Save')}
              </CommandButton>
            </>
          }
        />
        {!unsaved && <LeftNotice ws={ws} id={id} draft={draft} />}
        <Notices saving={saving} faults={tried ? faults : null} unwritable={unwritable} />
        <Editor
          ws={ws}
          at={Math.min(at, now.members.length + (now.events?.length ?? 0))}
          laws={laws}
          onChoose={setAt}
          onSave={() => void store()}
          onUndo={() => updateDraft(ws, id, undone)}
          onRedo={() => updateDraft(ws, id, redone)}
          onBack={() => go(draft?.version === null ? paths.compositions(ws) : paths.composition(ws, id))}
        />
        {leaving && (
          <LeaveDialog
            title={now.title || id}
            busy={save.isPending}
            onSave={() =>
              void store().then((isStored) => {
                setLeaving(null);
                if (isStored) leaveNow(leaving.go);
              })
            }
            onDiscard={() => {
              dropDraft(ws, id);
              leaveNow(leaving.go);
            }}
            onStay={() => setLeaving(null)}
          />
        )}
      </div>
    </EditingProvider>
  );
}

function Up({ ws, id }: { ws: string; id: string | null }): ReactNode {
  return (
    <Link href={id === null ? paths.compositions(ws) : paths.composition(ws, id)} className={classes.upper}>
      <IconArrowLeft size={13} aria-hidden /> {id === null ? tr('Compositions') : tr('The composition')}
    </Link>
  );
}

/** Edits that a tab left behind unsaved, to be taken up or dropped. */
function LeftNotice({ ws, id, draft }: { ws: string; id: string; draft: Edits | undefined }): ReactNode {
  const [left, setLeft] = useState(() => leftEdits(ws, id));
  const isOther = left !== null && JSON.stringify(left.now) !== JSON.stringify(draft?.now);
  if (left === null || !isOther) return null;
  return (
    <div className={classes.notice} role="status">
      <span>
        {tr('Edits of {when} were not saved. The tab that wrote them was closed, or another one has them.', {
          when: fullTime(left.at),
        })}{' '}
        {draft && draft.version !== left.version && tr('The composition was saved by somebody since.')}
      </span>
      <Button size="compact-sm" variant="default" onClick={() => takeLeft(ws, id, left, draft)}>
        {tr('Take them up again')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => {
          dropLeft(ws, id);
          setLeft(null);
        }}
      >
        {tr('Drop them')}
      </Button>
    </div>
  );
}

/** Everything that stands in the way of a save, over the form. */
function Notices(props: { saving: Saving; faults: Faults | null; unwritable: string | null }): ReactNode {
  const { saving, faults, unwritable } = props;
  const { save, theirs, gone, takeTheirs, keepMine } = saving;
  const first = faults && [...faults.values()][0];
  return (
    <div className={classes.notices}>
      {unwritable !== null && (
        <p className={classes.notice} role="status">
          {tr('This workspace can only be read, so nothing can be changed here. {why}', { why: unwritable })}
        </p>
      )}
      {theirs && (
        <div className={classes.notice} role="alert">
          <span>
            {tr(
              'Somebody else saved this composition while you edited it. Nothing is lost: whichever you choose, undo brings the other one back.',
            )}
          </span>
          <Button size="compact-sm" variant="default" onClick={takeTheirs}>
            {tr('Take theirs')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={keepMine}>
            {tr('Keep mine')}
          </Button>
        </div>
      )}
      {gone && (
        <p className={classes.notice} role="alert">
          {tr('Somebody removed this composition while you edited it. Saving makes it again.')}
        </p>
      )}
      {faults && faults.size > 0 && (
        <p className={classes.notice} role="alert">
          {tr('Not saved: {n, plural, one {a field lacks} other {# fields lack}} something. {first}', {
            n: faults.size,
            first: first?.words,
          })}
        </p>
      )}
      {save.error && !theirs && <ErrorPanel error={save.error} what={tr('It was not saved.')} compact />}
    </div>
  );
}
