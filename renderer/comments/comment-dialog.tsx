import { type ReactNode, useState } from 'react';
import { TEXT_LIMITS } from '../../schemas/limits.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { useWork, useWorkStore } from '../workbench/store.ts';
import { textTooLong } from '../workbench/too-long.ts';
import classes from './comments.module.css';
import { MentionField } from './mention-field.tsx';
import { useTalk } from './talk.ts';
import { pinWords } from './words.ts';

/** A new comment, pinned where it was asked for. */
export function CommentDialog(): ReactNode {
  const store = useWorkStore();
  const opened = useWork((state) => state.commenting !== null);
  return (
    <Dialog opened={opened} onClose={() => store.setState({ commenting: null })} title={tr('Add comment')}>
      <Writing />
    </Dialog>
  );
}

function Writing(): ReactNode {
  const store = useWorkStore();
  const talk = useTalk();
  const pin = useWork((state) => state.commenting);
  const opened = useWork((state) => state.opened);
  const doc = useWork((state) => state.doc);
  const [text, setText] = useState('');
  const problem = textTooLong(tr('The comment'), text, TEXT_LIMITS.comment);
  return (
    <DialogForm
      onSubmit={() => talk?.keep(text)}
      onClose={() => store.setState({ commenting: null })}
      disabled={text.trim() === '' || problem !== null}
      submit={tr('Add comment')}
    >
      <p className={classes.quiet}>{pin && pinWords({ pin, item: null }, { opened, doc })}</p>
      <MentionField
        aria-label={tr('Add comment')}
        rows={4}
        value={text}
        error={problem}
        data-autofocus
        description={tr('Type @ to mention somebody, who finds it in My work.')}
        onChange={setText}
      />
    </DialogForm>
  );
}
