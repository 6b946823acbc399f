import { ActionIcon, CloseButton, Loader, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { MOST_MARK_WORDS } from '../../schemas/limits.ts';
import type { RecordingMark } from '../../schemas/marks.ts';
import { client } from '../client/api.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { ErrorPanel, QueryError } from '../ui/parts.tsx';
import { useTools } from '../workbench/context.ts';
import { clock } from '../workbench/frames/times.ts';
import { readOnlyNow, useWork, useWorkStore } from '../workbench/store.ts';
import { makePlayer } from '../workbench/video/player.ts';
import classes from './marks-panel.module.css';
import { VoicePart } from './voice-part.tsx';

/** The marks of the open recording, in its state too, where the timeline takes them from. */
function useMarks() {
  const store = useWorkStore();
  const ws = useWork((state) => state.ws);
  const recording = useWork((state) => state.opened.row.id);
  const marks = useQuery(queries.marks(ws, recording));
  useEffect(() => {
    if (marks.data) store.setState({ marks: marks.data });
  }, [marks.data, store]);
  return marks;
}

/** Whether there is something to go to that only this panel shows. */
export function useHasMoments(): boolean {
  const ws = useWork((state) => state.ws);
  const recording = useWork((state) => state.opened.row.id);
  const voice = useQuery(queries.voice(ws, recording));
  const marks = useMarks();
  return Boolean(voice.data?.sound) || (marks.data ?? []).some(({ kind }) => kind === 'moment');
}

/** What was marked while recording: go to a moment, give it words, take it away. */
export function MarksPanel(): ReactNode {
  const store = useWorkStore();
  const { focus } = useTools();
  const marks = useMarks();
  const close = (): void => {
    store.setState({ open: null });
    focus.go('list');
  };
  return (
    <aside className={classes.panel} aria-label={tr('Marks and voice')}>
      <header className={classes.head}>
        <h2>{tr('Marks')}</h2>
        <CloseButton size="sm" aria-label={tr('Close the marks')} onClick={close} />
      </header>
      {marks.isPending && <Loader size="sm" aria-label={tr('Loading')} role="status" />}
      <QueryError of={marks} compact />
      {marks.data?.length === 0 && <p className={classes.quiet}>{tr('Nothing was marked while this was recorded.')}</p>}
      {marks.data && marks.data.length > 0 && <MarkList marks={marks.data} />}
      <VoicePart />
    </aside>
  );
}

function MarkList({ marks }: { marks: readonly RecordingMark[] }): ReactNode {
  const store = useWorkStore();
  const tools = useTools();
  const player = useMemo(() => makePlayer(store, tools), [store, tools]);
  const ws = useWork((state) => state.ws);
  const recording = useWork((state) => state.opened.row.id);
  const readOnly = useWork((state) => readOnlyNow(state) !== null);
  const cache = useQueryClient();
  const take = ({ marks: now }: { marks: RecordingMark[] }): void =>
    void cache.setQueryData(queries.marks(ws, recording).queryKey, now);
  const name = useMutation({
    mutationFn: ({ number, words }: { number: number; words: string }) =>
      client.marks.name({ ws, recording, number, words }),
    onSuccess: take,
  });
  const remove = useMutation({
    mutationFn: (number: number) => client.marks.remove({ ws, recording, number }),
    onSuccess: take,
  });
  const error = name.error ?? remove.error;
  return (
    <>
      {error && <ErrorPanel error={error} what={tr('The mark was not changed.')} compact />}
      <ol className={classes.list}>
        {marks.map((mark) => (
          <MarkLine
            key={mark.t}
            mark={mark}
            readOnly={readOnly}
            onGo={() => player.lookAt(mark.t)}
            onName={(words) => name.mutate({ number: mark.number, words })}
            onRemove={() => remove.mutate(mark.number)}
          />
        ))}
      </ol>
    </>
  );
}

function MarkLine(props: {
  mark: RecordingMark;
  readOnly: boolean;
  onGo: () => void;
  onName: (words: string) => void;
  onRemove: () => void;
}): ReactNode {
  const { mark, readOnly } = props;
  const start = useWork((state) => state.opened.span.start);
  const [words, setWords] = useState(mark.words);
  const [known, setKnown] = useState(mark.words);
  // Another tab may have written.
  if (known !== mark.words) {
    setKnown(mark.words);
    setWords(mark.words);
  }
  const send = (): void => {
    if (words.trim() !== mark.words) props.onName(words.trim());
  };
  const { number } = mark;
  return (
    <li className={classes.line}>
      <button type="button" className={classes.time} onClick={props.onGo}>
        <span className={classes.number}>{number}</span> {clock(mark.t, start)}{' '}
        {mark.kind === 'subtask' ? tr('End of a subtask') : tr('Moment')}
      </button>
      <TextInput
        size="xs"
        className={classes.words}
        aria-label={tr('Words of mark {number}', { number })}
        placeholder={tr('Why it was marked')}
        maxLength={MOST_MARK_WORDS}
        value={words}
        readOnly={readOnly}
        onChange={(event) => setWords(event.currentTarget.value)}
        onBlur={send}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send();
        }}
      />
      {!readOnly && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={tr('Take mark {number} away', { number })}
          onClick={props.onRemove}
        >
          <IconTrash size={15} aria-hidden />
        </ActionIcon>
      )}
    </li>
  );
}
