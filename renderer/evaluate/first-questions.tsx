import { IconListCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { QUESTION_LEVELS } from '../../schemas/question-lists.ts';
import { client } from '../client/api.ts';
import { tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { EmptyState } from '../ui/parts.tsx';
import { CommandHint } from './command-hint.tsx';
import { useLongWork } from './long-work.tsx';
import { ScoringError } from './scoring-error.tsx';
import { useAskable } from './use-askable.ts';

type Props = { ws: string; onQuestions: () => void; onMade: (set: string) => void };

/** Where there are no questions yet: the usual ones are made at once, any others are chosen in the dialog. */
export function FirstQuestions({ ws, onQuestions, onMade }: Props): ReactNode {
  const { some, nothingApproved } = useAskable(ws);
  const make = useLongWork(ws, async () => {
    const wanted = { ws, levels: [...QUESTION_LEVELS], everyState: nothingApproved };
    const { job, set } = await client.evaluate.makeQuestions(wanted);
    return { job, made: set };
  });
  const begin = (): void => make.begin(onMade);
  const may = some && !make.isPending;
  useHandlers('evaluate', { 'evaluate.make': { run: begin, enabled: may } });
  return (
    <EmptyState
      icon={<IconListCheck size={22} />}
      title={tr('No questions yet')}
      actions={
        <>
          <CommandButton
            icon={IconListCheck}
            command="evaluate.make"
            disabled={!some}
            loading={make.isPending}
            onClick={begin}
          >
            {tr('Make the questions')}
          </CommandButton>
          <CommandButton variant="default" command="evaluate.questions" onClick={onQuestions}>
            {tr('Questions …')}
          </CommandButton>
        </>
      }
    >
      {tr(
        'A benchmark begins with questions: what a model is asked about the recordings of this workspace, with the answers that were annotated. Make them here, or take a file that this line wrote:',
      )}
      <CommandHint line="npm run studio -- questions --workspace W --level action --out Q.jsonl" />
      {nothingApproved && (
        <p>{tr('No recording is approved yet: the questions are made of recordings of every state.')}</p>
      )}
      {make.error !== null && !make.isPending && (
        <ScoringError error={make.error} what={tr('No questions were kept.')} />
      )}
      {make.progress}
    </EmptyState>
  );
}
