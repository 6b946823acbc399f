import { Button } from '@mantine/core';
import { IconUserQuestion } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { OpenedRecordingPage } from '../annotate/opened.tsx';
import { Kbd } from '../app/keys/kbd.tsx';
import { askWho, usePersonId } from '../app/person.ts';
import { EmptyState, usePageTitle } from '../app/ui/parts.tsx';
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
      title="Review"
      document={null}
      autoAdvance={autoAdvance}
    >
      <ReviewWorkspace />
    </OpenedRecordingPage>
  );
}

function WhoFirst(): ReactNode {
  usePageTitle('Review');
  return (
    <EmptyState
      wholePage
      icon={<IconUserQuestion size={22} />}
      title="Who reviews?"
      actions={
        <Button rightSection={<Kbd command="app.person" />} onClick={() => askWho()}>
          Say who you are
        </Button>
      }
    >
      A review is somebody’s: what you decide is kept under your name, and nobody reviews their own work.
    </EmptyState>
  );
}
