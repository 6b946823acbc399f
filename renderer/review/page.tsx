import { IconUserQuestion } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { askWho, usePersonId } from '../client/person.ts';
import { tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { EmptyState, usePageTitle } from '../ui/parts.tsx';
import { ToolsContext, useTools } from '../workbench/context.ts';
import { OpenedRecordingPage } from '../workbench/opened.tsx';
import { useWorkStore } from '../workbench/store.ts';
import { makeReviewing } from './actions.ts';
import { ReviewContext } from './context.ts';
import { placeToGoOn } from './in-hand.ts';
import { makeJudging } from './judging.ts';
import { ReviewWorkspace } from './workspace.tsx';

/** Reviewing a recording's annotation, and judging its trajectory: both are somebody's, so one says who one is first. */
export function ReviewPage({ ws, recording }: { ws: string; recording: string }): ReactNode {
  const person = usePersonId(ws);
  const autoAdvance = useRef(true);
  if (person === null) return <WhoFirst />;
  return (
    <OpenedRecordingPage
      ws={ws}
      recording={recording}
      page="review"
      title={tr('Review')}
      document={null}
      autoAdvance={autoAdvance}
      begin={placeToGoOn}
    >
      <Reviewed />
    </OpenedRecordingPage>
  );
}

/** The reviewer's acts beside those of the workbench: "confirm and go on" accepts, also from a field. */
function Reviewed(): ReactNode {
  const store = useWorkStore();
  const tools = useTools();
  const [made] = useState(() => {
    const { review: sync, actions } = tools;
    if (!sync) throw new Error('A review is opened for somebody.');
    const reviewing = makeReviewing({ store, sync, actions });
    const judging = makeJudging({ store, sync, actions });
    const own = { ...tools, actions: { ...actions, confirmAndGo: reviewing.accept } };
    return { tools: own, review: { reviewing, judging } };
  });
  return (
    <ToolsContext value={made.tools}>
      <ReviewContext value={made.review}>
        <ReviewWorkspace />
      </ReviewContext>
    </ToolsContext>
  );
}

function WhoFirst(): ReactNode {
  usePageTitle(tr('Review'));
  return (
    <EmptyState
      wholePage
      icon={<IconUserQuestion size={22} />}
      title={tr('Who reviews?')}
      actions={
        <CommandButton command="app.person" onClick={() => askWho()}>
          {tr('Choose your name')}
        </CommandButton>
      }
    >
      {tr('A review is somebody’s: what you decide is kept under your name, and nobody reviews their own work.')}
    </EmptyState>
  );
}
