import { Button, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { RecordOf } from '../../../schemas/annotation.ts';
import { TEXT_LIMITS } from '../../../schemas/limits.ts';
import { tr } from '../../language/tr.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ChordKeys } from '../../ui/keys/kbd.tsx';
import { useActions } from '../context.ts';
import { chosenSteps, useWork, useWorkStore } from '../store.ts';
import { textTooLong } from '../too-long.ts';
import classes from './form.module.css';

const REASONS: readonly { reason: RecordOf<'removal'>['reason']; label: string }[] = [
  { reason: 'mistake', label: tr('A mistake') },
  { reason: 'private', label: tr('Private content') },
  { reason: 'duplicate', label: tr('A duplicate') },
  { reason: 'waiting', label: tr('Waiting') },
  { reason: 'other', label: tr('Another reason') },
];

/** Why the chosen steps are removed: a digit is enough, a comment may be added. */
export function RemoveDialog(): ReactNode {
  const store = useWorkStore();
  const actions = useActions();
  const opened = useWork((state) => state.open === 'remove');
  const count = useWork((state) => chosenSteps(state).length);
  const [comment, setComment] = useState('');
  const problem = textTooLong(tr('The comment'), comment, TEXT_LIMITS.comment);
  const close = (): void => {
    setComment('');
    store.setState({ open: null });
  };
  const remove = (reason: RecordOf<'removal'>['reason']): void => {
    if (problem) return;
    actions.remove(reason, comment);
    setComment('');
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={count === 1 ? tr('Remove this step: why?') : tr('Remove these {count} steps: why?', { count })}
      size="sm"
      onKeyDown={(event) => {
        if (event.target instanceof HTMLTextAreaElement || event.ctrlKey || event.altKey || event.metaKey) return;
        const found = REASONS[Number(event.key) - 1];
        if (!found) return;
        event.preventDefault();
        event.stopPropagation();
        remove(found.reason);
      }}
    >
      <div className={classes.reasons}>
        {REASONS.map(({ reason, label }, index) => (
          <Button
            key={reason}
            variant="default"
            justify="space-between"
            disabled={problem !== null}
            rightSection={<ChordKeys chord={String(index + 1)} />}
            aria-keyshortcuts={String(index + 1)}
            {...(index === 0 && { 'data-autofocus': true })}
            onClick={() => remove(reason)}
          >
            {label}
          </Button>
        ))}
        <Textarea
          label={tr('Comment (optional)')}
          value={comment}
          error={problem}
          rows={2}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
        <p className={classes.quiet}>
          {tr('Nothing is deleted: the step is marked, exports leave it out, and X restores it.')}
        </p>
      </div>
    </Dialog>
  );
}
