import { type ReactNode, useRef } from 'react';
import { tr } from '../language/tr.ts';
import { useAddressPart } from '../ui/use-address.ts';
import { OpenedRecordingPage } from '../workbench/opened.tsx';
import { placeToRepair } from './place.ts';
import { AnnotationWorkspace } from './workspace.tsx';

/** The annotation workspace of one recording. `?document=` names a blind replica; else it is the person's own document. */
export function AnnotatePage({ ws, recording }: { ws: string; recording: string }): ReactNode {
  const autoAdvance = useRef(true);
  const document = useAddressPart('document');
  return (
    <OpenedRecordingPage
      ws={ws}
      recording={recording}
      page="annotate"
      title={tr('Annotate')}
      document={document}
      autoAdvance={autoAdvance}
      begin={placeToRepair}
    >
      <AnnotationWorkspace autoAdvance={autoAdvance} />
    </OpenedRecordingPage>
  );
}
