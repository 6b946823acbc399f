import { Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconArrowBackUp, IconCircleCheck } from '@tabler/icons-react';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { TEXT_LIMITS } from '../../schemas/limits.ts';
import type { RejectReason } from '../../schemas/review.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { ChordKeys } from '../ui/keys/kbd.tsx';
import { isPlain, useDialogKeys } from '../ui/keys/use-dialog-keys.ts';
import { ErrorPanel } from '../ui/parts.tsx';
import { REASONS } from '../ui/reasons.ts';
import { useWork, useWorkStore } from '../workbench/store.ts';
import { textTooLong } from '../workbench/too-long.ts';
import { useReviewing } from './context.ts';
import classes from './review.module.css';
import { rejectedFor, useProgress, useWhole } from './whole.ts';

/** The verdict on the whole recording: approved, or sent back with reasons; an approved one is taken up again here. */
export function VerdictDialog(): ReactNode {
  const store = useWorkStore();
  const opened = useWork((state) => state.open === 'verdict');
  const approved = useWork((state) => state.review?.view.state === 'approved');
  return (
    <Dialog
      opened={opened}
      onClose={() => store.setState({ open: null })}
      title={approved ? tr('Reopen this recording?') : tr('Verdict on the whole recording')}
      size="lg"
    >
      {opened && (approved ? <Reopen /> : <Verdict />)}
    </Dialog>
  );
}

function Verdict(): ReactNode {
  const { reviewing } = useReviewing();
  const review = useWork((state) => state.review);
  const { busy, error, send } = useWhole();
  const [comment, setComment] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const progress = useProgress();
  const given = useMemo(() => rejectedFor(review?.view.decisions ?? [], review?.view.round ?? 1), [review]);
  const [reasons, setReasons] = useState<readonly RejectReason[]>(given);
  const may = review?.view.may;
  // The last decision is on its way: the studio's word on it comes with the answer.
  const storing = (review?.waiting ?? 0) > 0;
  const problem = textTooLong(tr('The comment'), comment, TEXT_LIMITS.comment);
  const mayApprove = may?.approve === null && !storing && problem === null;
  const grounds = progress.rejected > 0 || reasons.length > 0 || comment.trim() !== '';
  const mayReject = may?.reject === null && !storing && problem === null && grounds;
  const say = (verdict: 'approve' | 'reject'): void => {
    if (verdict === 'approve' ? !mayApprove : !mayReject) return;
    const version = reviewing.version();
    const text = comment.trim();
    void send({ type: 'verdict', verdict, version, reasons: verdict === 'reject' ? [...reasons] : [], comment: text });
  };
  useDialogKeys((event) => {
    if (event.key === 'Enter' && !isPlain(event)) {
      say(progress.rejected > 0 ? 'reject' : 'approve');
      return true;
    }
    // Shift with R is the command's own key (put back), heard in this dialog too.
    if (!isPlain(event) || event.shiftKey || event.target === field.current) return false;
    const verdict = { a: 'approve', r: 'reject' }[event.key.toLowerCase()];
    if (verdict !== 'approve' && verdict !== 'reject') return false;
    say(verdict);
    return true;
  });
  if (!review) return null;
  return (
    <Stack gap="sm">
      <Text size="sm">
        {tr('{decided} of {total} decided{rejected, plural, =0 {} other {, # rejected}}.', {
          decided: progress.decided,
          total: progress.total,
          rejected: progress.rejected,
        })}{' '}
        {storing ? tr('Storing the last decisions …') : (may?.approve ?? tr('It may be approved.'))}
      </Text>
      <fieldset className={classes.checks}>
        <legend>{tr('Reasons, when it is sent back')}</legend>
        {REASONS.map(({ reason, label }) => (
          <Checkbox
            key={reason}
            size="xs"
            label={label}
            checked={reasons.includes(reason)}
            onChange={(event) =>
              setReasons(event.currentTarget.checked ? [...reasons, reason] : reasons.filter((one) => one !== reason))
            }
          />
        ))}
      </fieldset>
      <Textarea
        ref={field}
        label={tr('Comment')}
        rows={2}
        value={comment}
        error={problem}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
      {error != null && <ErrorPanel error={error} compact />}
      {!grounds && (
        <Text size="xs" c="dimmed">
          {tr('To send it back, reject at least one thing, or give a reason or a comment.')}
        </Text>
      )}
      <Group justify="flex-end" gap={8}>
        <CommandButton
          variant="subtle"
          color="gray"
          disabled={may?.release !== null}
          command="review.release"
          onClick={() => reviewing.release()}
        >
          {tr('Release')}
        </CommandButton>
        <Button
          variant="default"
          loading={busy}
          disabled={!mayReject}
          leftSection={<IconArrowBackUp size={14} aria-hidden />}
          rightSection={<ChordKeys chord="R" />}
          aria-keyshortcuts="R"
          onClick={() => say('reject')}
        >
          {tr('Send back')}
        </Button>
        <Button
          loading={busy}
          disabled={!mayApprove}
          leftSection={<IconCircleCheck size={14} aria-hidden />}
          rightSection={<ChordKeys chord="A" />}
          aria-keyshortcuts="A"
          data-autofocus
          onClick={() => say('approve')}
        >
          {tr('Approve')}
        </Button>
      </Group>
    </Stack>
  );
}

function Reopen(): ReactNode {
  const refused = useWork((state) => state.review?.view.may.reopen ?? null);
  const { busy, error, send } = useWhole();
  const [comment, setComment] = useState('');
  const problem = textTooLong(tr('The comment'), comment, TEXT_LIMITS.comment);
  const reopen = (): void => {
    if (refused === null && problem === null && comment.trim() !== '')
      void send({ type: 'reopen', comment: comment.trim() });
  };
  useDialogKeys((event) => {
    if (event.key !== 'Enter' || isPlain(event)) return false;
    reopen();
    return true;
  });
  return (
    <Stack gap="sm">
      <Text size="sm">
        {refused ?? tr('It is approved. Reopened, it is reviewed again; what was decided stays known.')}
      </Text>
      <Textarea
        label={tr('Why')}
        rows={3}
        value={comment}
        error={problem}
        data-autofocus
        onChange={(event) => setComment(event.currentTarget.value)}
      />
      {error != null && <ErrorPanel error={error} compact />}
      <Group justify="flex-end">
        <Button
          loading={busy}
          disabled={refused !== null || problem !== null || comment.trim() === ''}
          rightSection={<ChordKeys chord="Ctrl+Enter" />}
          onClick={reopen}
        >
          {tr('Reopen')}
        </Button>
      </Group>
    </Stack>
  );
}
