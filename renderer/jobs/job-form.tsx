import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { isActive } from '../../schemas/api/job-state.ts';
import type { Job } from '../../schemas/api/models.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { DialogForm } from '../ui/dialog-form.tsx';
import { ErrorPanel } from '../ui/parts.tsx';
import { JobRow } from './tray.tsx';

/** A dialog's form that starts a job and shows how far it is; the job can be stopped, and goes on in the tray. */
export function JobForm(props: {
  ws: string;
  /** All that it asks for is there. */
  ready: boolean;
  start: () => Promise<Job>;
  /** The words on its button. */
  go: string;
  /** Said before the reason when it could not be started. */
  failed: string;
  /** The request as one text: as long as it is the same, it is not repeated by itself. */
  asked: string;
  /** Once it is done: where to go on with what came of it. */
  next?: ((job: Job) => { label: string; go: () => void } | null) | undefined;
  onClose: () => void;
  children: ReactNode;
}): ReactNode {
  const { ws, ready, asked } = props;
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const cache = useQueryClient();
  const start = useMutation({
    mutationFn: props.start,
    onSuccess: () => cache.invalidateQueries({ queryKey: queries.jobs(ws).queryKey }),
  });
  const jobs = useQuery({ ...queries.jobs(ws), enabled: start.data !== undefined });
  const job = jobs.data?.find((one) => one.id === start.data?.id) ?? start.data;
  const running = job !== undefined && isActive(job);
  const over = job?.state === 'done' && askedFor === asked;
  const next = over ? (props.next?.(job) ?? { label: tr('Done'), go: props.onClose }) : null;
  const go = useRef<HTMLButtonElement>(null);
  const isOver = next !== null;
  // It could not have the focus while it was switched off; whoever types in a field meanwhile keeps it there.
  useEffect(() => {
    if (isOver && !document.activeElement?.matches('input, textarea')) go.current?.focus();
  }, [isOver]);
  const submit = (): void => {
    if (next) next.go();
    else {
      setAskedFor(asked);
      start.mutate();
    }
  };
  return (
    <DialogForm
      onSubmit={submit}
      onClose={props.onClose}
      close={running ? tr('Continue in the background') : tr('Close')}
      chord="Enter"
      loading={start.isPending}
      disabled={!ready || running}
      submit={next?.label ?? props.go}
      submitRef={go}
      outcome={
        (start.error || job) && (
          <>
            {start.error && <ErrorPanel error={start.error} what={props.failed} compact />}
            {job && <JobRow ws={ws} job={job} />}
          </>
        )
      }
    >
      {props.children}
    </DialogForm>
  );
}
