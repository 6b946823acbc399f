import { Button, Textarea } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { TEXT_LIMITS } from '../../schemas/limits.ts';
import { itemWords } from '../comments/words.ts';
import { shownLanguage, tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ChordKeys } from '../ui/keys/kbd.tsx';
import { isPlain, useDialogKeys } from '../ui/keys/use-dialog-keys.ts';
import type { Reason } from '../ui/reasons.ts';
import form from '../workbench/form/form.module.css';
import { useWork, useWorkStore } from '../workbench/store.ts';
import { textTooLong } from '../workbench/too-long.ts';
import { useReviewing } from './context.ts';
import { itemInHand } from './in-hand.ts';
import { aspectsOf } from './items.ts';
import { boxesOf, reasonsFor } from './reasons.ts';
import classes from './review.module.css';

/** Why it is rejected: a letter is enough; with Shift one goes on to write what is wrong. */
export function RejectDialog(): ReactNode {
  const store = useWorkStore();
  const opened = useWork((state) => state.open === 'reject');
  const words = useWork((state) => {
    const item = itemInHand(state);
    return item ? itemWords(item, state) : '';
  });
  return (
    <Dialog
      opened={opened}
      onClose={() => store.setState({ open: null })}
      title={tr('Why reject {item}?', {
        item:
          shownLanguage() === 'en' && /^(?:Step|Subtask) /.test(words)
            ? words.charAt(0).toLowerCase() + words.slice(1)
            : words,
      })}
    >
      <Reasons />
    </Dialog>
  );
}

function Reasons(): ReactNode {
  const { reviewing } = useReviewing();
  const store = useWorkStore();
  const [chosen, setChosen] = useState<Reason | null>(null);
  const [comment, setComment] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const state = store.getState();
  const item = itemInHand(state);
  const step = state.doc.steps[state.at];
  const reasons = item
    ? reasonsFor(item, {
        aspects: step ? aspectsOf(step) : [],
        removed: step?.removal != null,
        boxes: step ? boxesOf(step) : 'all',
      })
    : [];
  const problem = textTooLong(tr('The comment'), comment, TEXT_LIMITS.comment);
  const reject = (reason: Reason): void => {
    if (problem === null) reviewing.reject(reason, comment);
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
    <fieldset aria-label={tr('Reasons')} className={`${form.reasons} ${classes.bare}`}>
      {reasons.map((reason, index) => (
        <Button
          key={reason.reason}
          variant={chosen === reason ? 'light' : 'default'}
          justify="space-between"
          disabled={problem !== null}
          aria-pressed={chosen === reason}
          aria-keyshortcuts={reason.key}
          rightSection={<ChordKeys chord={reason.key} />}
          {...(index === 0 && chosen === null && { 'data-autofocus': true })}
          onClick={(event) => choose(reason, event.shiftKey)}
        >
          {reason.label}
        </Button>
      ))}
      <Textarea
        ref={field}
        {...(chosen !== null && { 'data-autofocus': true })}
        label={chosen ? tr('{label}: what is wrong?', { label: chosen.label }) : tr('Comment (optional)')}
        description={
          chosen
            ? tr('Enter rejects.')
            : tr('Write it before choosing a reason, or press Shift+letter to add it afterwards.')
        }
        value={comment}
        error={problem}
        rows={2}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
      <p className={form.quiet}>{tr('The annotator sees the reason and answers; Backspace takes it back.')}</p>
    </fieldset>
  );
}
