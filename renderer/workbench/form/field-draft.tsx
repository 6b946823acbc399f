import { Badge } from '@mantine/core';
import { IconAlertTriangle, IconArrowBackUp, IconCheck, IconX } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import type { AnnotationRecord } from '../../../schemas/annotation.ts';
import type { DraftShown } from '../../../schemas/api/drafts.ts';
import type { DraftField } from '../../../schemas/draft.ts';
import { tr } from '../../language/tr.ts';
import { useActions } from '../context.ts';
import { openDrafts, originAt } from '../drafts.ts';
import { KeyButton } from '../parts.tsx';
import { useWork } from '../store.ts';
import classes from './field-draft.module.css';

/** A model's draft at its field (docs/agents.md): taken or refused there; only the first of the step has the keys. */
export function DraftAtField({ field, action }: { field: DraftField; action: string }): ReactNode {
  const drafts = useWork((state) => state.drafts);
  const doc = useWork((state) => state.doc);
  const refused = useWork((state) => state.refused);
  const page = useWork((state) => state.page);
  const opened = useWork((state) => state.opened);
  const open = useMemo(() => openDrafts({ drafts, doc, opened }, action), [drafts, doc, opened, action]);
  if (page !== 'annotate') return null;
  const draft = open.find((one) => one.field === field);
  if (draft) return <OpenDraft draft={draft} isFirst={draft === open[0]} />;
  const gone = drafts.find((one) => one.field === field && one.action === action && refused.has(one.id));
  return gone ? <RefusedDraft draft={gone} /> : null;
}

function OpenDraft({ draft, isFirst }: { draft: DraftShown; isFirst: boolean }): ReactNode {
  const actions = useActions();
  const { id, text, by, doubt, doubtedBy } = draft;
  const model = modelOf(by);
  return (
    <section className={classes.draft} aria-label={tr('Draft of {model}', { model })} data-draft={draft.field}>
      <p className={classes.words} title={text}>
        {text}
      </p>
      {doubt !== null && (
        <p className={classes.doubt} title={doubt}>
          <IconAlertTriangle size={13} aria-hidden />{' '}
          {tr('Doubted by {model}: {doubt}', { model: doubtedBy ?? '', doubt: doubt.slice(0, 300) })}
        </p>
      )}
      <div className={classes.row}>
        <span className={classes.model} title={tr('Drafted by {by}. It is in no export until you take it.', { by })}>
          {tr('Draft of {model}', { model })}
        </span>
        <span className={classes.answers}>
          <KeyButton
            command={isFirst ? 'annotate.takeDraft' : ''}
            main
            writes
            label={tr('Take')}
            title={tr('Take the draft: {text}', { text: text.slice(0, 200) })}
            icon={<IconCheck size={13} aria-hidden />}
            onClick={() => actions.takeModelDraft(id)}
          />
          <KeyButton
            command={isFirst ? 'annotate.refuseDraft' : ''}
            main
            writes
            label={tr('Refuse')}
            title={tr('Refuse the draft: {text}', { text: text.slice(0, 200) })}
            icon={<IconX size={13} aria-hidden />}
            onClick={() => actions.refuseModelDraft(id)}
          />
        </span>
      </div>
    </section>
  );
}

function RefusedDraft({ draft }: { draft: DraftShown }): ReactNode {
  const actions = useActions();
  return (
    <div className={classes.row} data-draft-refused={draft.field}>
      <span className={classes.model} title={draft.text}>
        {tr('Draft refused')}
      </span>
      <KeyButton
        command=""
        writes
        label={tr('Put back')}
        title={tr('Put back the draft: {text}', { text: draft.text.slice(0, 200) })}
        icon={<IconArrowBackUp size={13} aria-hidden />}
        onClick={() => actions.putBackModelDraft(draft.id)}
      />
    </div>
  );
}

/** Said at a field whose words come from a draft, for as long as they stand. */
export function DraftMark(props: { record: AnnotationRecord | null | undefined; field: DraftField }): ReactNode {
  const origin = originAt(props.record, props.field);
  if (!origin) return null;
  const { by, edited } = origin;
  return (
    <Badge
      size="xs"
      color="grape"
      data-origin={edited ? 'edited' : 'taken'}
      title={
        edited
          ? tr('From a draft of {by}, edited. Exports name it, and it counts as no agreement.', { by })
          : tr('From a draft of {by}, taken as it is. Exports name it, and it counts as no agreement.', { by })
      }
    >
      {edited ? tr('draft, edited') : tr('draft')}
    </Badge>
  );
}

/** Without the hash of its prompts, which the title has. */
const modelOf = (by: string): string => by.replace(/@[0-9a-f]{8}$/, '');
