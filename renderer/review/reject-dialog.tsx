import { Button, Textarea } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { LIMITS } from '../../schemas/limits.ts';
import { tooLong } from '../annotate/actions.ts';
import { useTools } from '../annotate/context.ts';
import form from '../annotate/form/form.module.css';
import { useWork, useWorkStore } from '../annotate/store.ts';
import { Chord } from '../app/keys/kbd.tsx';
import { isPlain, useDialogKeys } from '../app/keys/use-dialog-keys.ts';
import { Dialog } from '../app/ui/dialog.tsx';
import { itemInHand } from './actions.ts';
import { aspectsOf } from './items.ts';
import { type Reason, reasonsFor } from './reasons.ts';
import classes from './review.module.css';
import { itemWords } from './words.ts';

/** Why it is rejected: a letter is enough; with Shift one goes on to write what is wrong. */
export function RejectDialog(): ReactNode {
  const store = useWorkStore();
  const opened = useWork((state) => state.open === 'reject');
  const words = useWork((state) => {
    const item = itemInHand(state);
    return item ? itemWords(item, state) : '';
  });
  return (
    <Dialog opened={opened} onClose={() => store.setState({ open: null })} title={`Reject: ${words}. Why?`}>
      <Reasons />
    </Dialog>
  );
}

function Reasons(): ReactNode {
  const { review } = useTools();
  const store = useWorkStore();
  const [chosen, setChosen] = useState<Reason | null>(null);
  const [comment, setComment] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const state = store.getState();
  const item = itemInHand(state);
  const step = state.doc.steps[state.at];
  const reasons = item ? reasonsFor(item, step ? aspectsOf(step) : [], step?.removal != null) : [];
  const problem = tooLong('The comment', comment, LIMITS.comment);
  const reject = (reason: Reason): void => {
    if (problem === null) review?.reviewing.reject(reason, comment);
  };
  const write = (reason: Reason): void => {
    setChosen(reason);
    field.current?.focus();
  };
  // "Another reason" says nothing without words.
  const choose = (reason: Reason, further: boolean): void => {
    if (further || (reason.reason === 'other' && comment.trim() === '')) write(reason);
    else reject(reason);
  };
  useDialogKeys((event) => {
    if (!isPlain(event)) return false;
    if (event.target === field.current) {
      if (event.key !== 'Enter' || event.shiftKey || chosen === null) return false;
      if (chosen.reason !== 'other' || comment.trim() !== '') reject(chosen);
      return true;
    }
    const found = reasons.find(({ key }) => key === event.key.toUpperCase());
    if (found) choose(found, event.shiftKey);
    return found !== undefined;
  });
  return (
    <fieldset aria-label="Reasons" className={`${form.reasons} ${classes.bare}`}>
      {reasons.map((reason, index) => (
        <Button
          key={reason.reason}
          variant={chosen === reason ? 'light' : 'default'}
          justify="space-between"
          disabled={problem !== null}
          aria-pressed={chosen === reason}
          aria-keyshortcuts={reason.key}
          rightSection={<Chord chord={reason.key} />}
          {...(index === 0 && chosen === null && { 'data-autofocus': true })}
          onClick={(event) => choose(reason, event.shiftKey)}
        >
          {reason.label}
        </Button>
      ))}
      <Textarea
        ref={field}
        {...(chosen !== null && { 'data-autofocus': true })}
        label={chosen ? `${chosen.label}: what is wrong?` : 'Comment, if one helps'}
        description={chosen ? 'Enter rejects.' : 'Write it first, or hold Shift with a letter to write after.'}
        value={comment}
        error={problem}
        rows={2}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
      <p className={form.quiet}>The annotator sees the reason and answers; Backspace takes it back.</p>
    </fieldset>
  );
}
