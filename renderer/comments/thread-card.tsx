import { Badge, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { mentionsOf } from '../../core/review/mentions.ts';
import { TEXT_LIMITS } from '../../schemas/limits.ts';
import { usePersonId, usePersonName } from '../client/person.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { ChordKeys, Kbd } from '../ui/keys/kbd.tsx';
import { Time } from '../ui/parts.tsx';
import { reasonLabel } from '../ui/reasons.ts';
import { useTools } from '../workbench/context.ts';
import { useWork, useWorkStore } from '../workbench/store.ts';
import { textTooLong } from '../workbench/too-long.ts';
import classes from './comments.module.css';
import { MentionField } from './mention-field.tsx';
import { useTalk } from './talk.ts';
import type { Numbered } from './threads.ts';
import { pinWords } from './words.ts';

/** One thread: where it points, what was said, an answer, resolved or not. `first`: the step's keys mean this one. */
export function ThreadCard(props: { of: Numbered; first?: boolean; onGo?: () => void }): ReactNode {
  const { thread, number } = props.of;
  const talk = useTalk();
  const ws = useWork((state) => state.ws);
  const opened = useWork((state) => state.opened);
  const doc = useWork((state) => state.doc);
  const nameOf = usePersonName(ws);
  const where = pinWords(thread, { opened, doc });
  const store = useWorkStore();
  const current = useWork((state) => state.thread === thread.id);
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (current) card.current?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <article
      ref={card}
      className={classes.thread}
      aria-current={current || undefined}
      onFocus={() => store.setState({ thread: thread.id })}
      data-open={thread.open}
      data-rejection={thread.reason !== null}
      aria-label={tr('Comment {number}', { number })}
    >
      <header className={classes.threadHead}>
        <span className={classes.number} data-open={thread.open}>
          {number}
        </span>
        {props.onGo ? (
          <button type="button" className={classes.where} onClick={props.onGo}>
            {where}
          </button>
        ) : (
          <span className={classes.where}>{where}</span>
        )}
        {thread.reason !== null && (
          <Badge size="xs" color="red" className={classes.reason}>
            {reasonLabel(thread.reason)}
          </Badge>
        )}
        {!thread.open && (
          <Badge size="xs" color="gray">
            {tr('resolved')}
          </Badge>
        )}
      </header>
      <ol className={classes.entries}>
        {thread.entries.map((entry) => (
          <li key={entry.event}>
            <span className={classes.by}>
              {nameOf(entry.person)} · <Time iso={entry.at} />
            </span>
            <p className={classes.said}>
              {entry.text ? (
                <Said ws={ws} text={entry.text} />
              ) : (
                thread.reason !== null && tr('Rejected without further words.')
              )}
            </p>
          </li>
        ))}
      </ol>
      {thread.open && <Answer thread={thread.id} named={props.first === true} />}
      <Button
        size="compact-xs"
        variant="default"
        className={classes.resolve}
        rightSection={props.first ? <Kbd command="comment.resolve" /> : null}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => talk?.resolve(thread.id, !thread.open)}
      >
        {thread.open ? tr('Resolve') : tr('Reopen')}
      </Button>
    </article>
  );
}

/** What somebody said, with the people whom it names. */
function Said({ ws, text }: { ws: string; text: string }): ReactNode {
  const people = useQuery(queries.people(ws)).data;
  const me = usePersonId(ws);
  const parts = useMemo(() => (people ? mentionsOf(people)(text) : [{ text, person: null }]), [people, text]);
  return parts.map(({ text: words, person }, i) =>
    person === null ? (
      words
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text's parts have no other name
      <span key={i} className={classes.named} data-me={person === me}>
        {words}
      </span>
    ),
  );
}

function Answer({ thread, named }: { thread: string; named: boolean }): ReactNode {
  const talk = useTalk();
  const { focus } = useTools();
  const [text, setText] = useState('');
  const element = useRef<HTMLTextAreaElement>(null);
  const problem = textTooLong(tr('The answer to the comment'), text, TEXT_LIMITS.comment);
  useEffect(() => {
    if (named) return focus.register('answer', () => element.current);
  }, [focus, named]);
  const send = (): void => {
    if (problem !== null || text.trim() === '') return;
    talk?.answer(thread, text);
    setText('');
    focus.go('list');
  };
  return (
    <MentionField
      field={element}
      aria-label={tr('Write an answer')}
      placeholder={tr('Write an answer')}
      autosize
      minRows={1}
      maxRows={5}
      value={text}
      error={problem}
      rightSection={text.trim() === '' ? named && <Kbd command="comment.answer" /> : <ChordKeys chord="Enter" />}
      rightSectionWidth={named && text.trim() === '' ? 62 : 48}
      rightSectionPointerEvents="none"
      onChange={setText}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
        event.preventDefault();
        send();
      }}
    />
  );
}
