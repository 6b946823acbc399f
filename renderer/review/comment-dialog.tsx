import { Button, Group, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { LIMITS } from '../../schemas/limits.ts';
import { tooLong } from '../annotate/actions.ts';
import { useTools } from '../annotate/context.ts';
import { useWork, useWorkStore } from '../annotate/store.ts';
import { Chord } from '../app/keys/kbd.tsx';
import { Dialog } from '../app/ui/dialog.tsx';
import { submitOnModEnter } from '../app/ui/fields.ts';
import classes from './review.module.css';
import { pinWords } from './words.ts';

/** A new comment, pinned where it was asked for. */
export function CommentDialog(): ReactNode {
  const store = useWorkStore();
  const opened = useWork((state) => state.commenting !== null);
  return (
    <Dialog opened={opened} onClose={() => store.setState({ commenting: null })} title="Comment">
      <Writing />
    </Dialog>
  );
}

function Writing(): ReactNode {
  const store = useWorkStore();
  const { review } = useTools();
  const pin = useWork((state) => state.commenting);
  const opened = useWork((state) => state.opened);
  const doc = useWork((state) => state.doc);
  const [text, setText] = useState('');
  const problem = tooLong('The comment', text, LIMITS.comment);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (problem === null && text.trim() !== '') review?.talk.keep(text);
  };
  return (
    <form onSubmit={submit} onKeyDown={submitOnModEnter}>
      <p className={classes.quiet}>{pin && pinWords({ pin, item: null }, { opened, doc })}</p>
      <Textarea
        aria-label="Comment"
        rows={4}
        value={text}
        error={problem}
        data-autofocus
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group justify="flex-end" gap={8} mt="md">
        <Button
          variant="default"
          rightSection={<Chord chord="Escape" />}
          onClick={() => store.setState({ commenting: null })}
        >
          Cancel
        </Button>
        <Button
          type="submit"
          disabled={text.trim() === '' || problem !== null}
          rightSection={<Chord chord="Ctrl+Enter" />}
        >
          Comment
        </Button>
      </Group>
    </form>
  );
}
