import { SegmentedControl, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { newComposition, slotNameOf } from '../../core/compositions/edit.ts';
import { COMPOSITION_ID } from '../../schemas/composition-terms.ts';
import { COMPOSITION_LIMITS } from '../../schemas/limits.ts';
import { paths } from '../client/paths.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { newEdits } from './draft.ts';
import { setDraft } from './drafts.ts';
import classes from './edit.module.css';

/** A composition begins with its kind and its title; it is a file once it is saved. */
export function NewComposition(props: { ws: string; taken: readonly string[]; onClose: () => void }): ReactNode {
  const { ws, taken, onClose } = props;
  const [, go] = useLocation();
  const [kind, setKind] = useState<'pathway' | 'scenario'>('pathway');
  const [title, setTitle] = useState('');
  const [written, setWritten] = useState<string | null>(null);
  const [asked, setAsked] = useState(false);
  const names = taken.map((id) => id.replaceAll('-', '_'));
  const proposed = slotNameOf(title, names).replaceAll('_', '-');
  const id = written ?? (title.trim() === '' ? '' : proposed);
  const idFault = taken.includes(id)
    ? tr('A composition of this id is here already.')
    : COMPOSITION_ID.test(id)
      ? undefined
      : tr('Small letters, digits and “-”.');
  const submit = (): void => {
    setAsked(true);
    if (title.trim() === '' || idFault !== undefined) return;
    setDraft(ws, id, newEdits(newComposition({ id, kind, title: title.trim() })));
    onClose();
    go(paths.editComposition(ws, id));
  };
  return (
    <Dialog opened onClose={onClose} title={tr('New composition')} size="md">
      <DialogForm onSubmit={submit} onClose={onClose} submit={tr('Write it')} chord="Enter">
        <TextInput
          label={tr('Title')}
          value={title}
          maxLength={COMPOSITION_LIMITS.short}
          onChange={(event) => setTitle(event.currentTarget.value)}
          error={asked && title.trim() === '' ? tr('Write something here.') : undefined}
          autoComplete="off"
          data-autofocus
        />
        <div>
          <p className={classes.label} id="new-composition-kind">
            {tr('Kind')}
          </p>
          <SegmentedControl
            aria-labelledby="new-composition-kind"
            fullWidth
            value={kind}
            onChange={(value) => setKind(value === 'scenario' ? 'scenario' : 'pathway')}
            data={[
              { value: 'pathway', label: tr('Pathway: answers feed questions') },
              { value: 'scenario', label: tr('Scenario: a day on one stage') },
            ]}
          />
        </div>
        <TextInput
          label={tr('Id')}
          description={tr('Commands and its file name it so.')}
          value={id}
          maxLength={60}
          onChange={(event) => setWritten(event.currentTarget.value)}
          error={(asked || written !== null) && title.trim() !== '' ? idFault : undefined}
          autoComplete="off"
        />
      </DialogForm>
    </Dialog>
  );
}
