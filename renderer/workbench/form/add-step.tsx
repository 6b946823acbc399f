import { Group, NumberInput, Radio, Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { TEXT_LIMITS } from '../../../schemas/limits.ts';
import { tr } from '../../language/tr.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { addsSteps, chooseStep, type NewStep, STEP_KINDS, type StepChoice } from '../add-step.ts';
import { useActions } from '../context.ts';
import { clock } from '../frames/times.ts';
import { shownFrame, useWork, useWorkStore } from '../store.ts';
import classes from './form.module.css';

/** What was done at the picture that is shown; its place is chosen in the picture afterwards. */
export function AddStepDialog(): ReactNode {
  const store = useWorkStore();
  const opened = useWork((state) => state.open === 'add-step' && addsSteps(state));
  const close = (): void => store.setState({ open: null });
  return (
    <Dialog opened={opened} onClose={close} title={tr('Add a step')} size="sm">
      <Form onClose={close} />
    </Dialog>
  );
}

function Form({ onClose }: { onClose: () => void }): ReactNode {
  const store = useWorkStore();
  const actions = useActions();
  const frames = useWork((state) => state.opened.frames);
  const place = useWork(shownFrame);
  const start = useWork((state) => state.opened.span.start);
  const [kind, setKind] = useState<StepChoice>('click');
  const [text, setText] = useState('');
  const [direction, setDirection] = useState<'up' | 'down' | 'left' | 'right'>('down');
  const [notches, setNotches] = useState(3);
  const placed = kind !== 'type' && kind !== 'press';
  const problem = !placed && text.trim() === '';
  const submit = (): void => {
    const step: NewStep = { kind, text: kind === 'type' ? text : text.trim(), direction, notches };
    onClose();
    chooseStep(store, actions, step);
  };
  const at = frames[place]?.[1];
  return (
    <DialogForm
      onSubmit={submit}
      onClose={onClose}
      chord="Enter"
      disabled={problem}
      submit={placed ? tr('Choose the place') : tr('Add step')}
    >
      <Radio.Group
        label={tr('What was done')}
        description={
          at === undefined
            ? undefined
            : tr('At the picture of {clock}, as it was before.', { clock: clock(at - start) })
        }
        value={kind}
        onChange={(value) => setKind(STEP_KINDS.find((one) => one.kind === value)?.kind ?? kind)}
      >
        <div className={classes.kinds}>
          {STEP_KINDS.map(({ kind: value, label }) => (
            <Radio
              key={value}
              size="xs"
              value={value}
              label={label}
              {...(value === kind && { 'data-autofocus': true })}
            />
          ))}
        </div>
      </Radio.Group>
      {kind === 'type' && (
        <TextInput
          label={tr('Text')}
          maxLength={TEXT_LIMITS.text}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      {kind === 'press' && (
        <TextInput
          label={tr('Keys')}
          placeholder="Ctrl+S"
          maxLength={100}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      {kind === 'scroll' && (
        <Group grow>
          <Select
            label={tr('Direction')}
            data={DIRECTIONS}
            value={direction}
            onChange={(value) => value && setDirection(value)}
            allowDeselect={false}
          />
          <NumberInput
            label={tr('Notches')}
            min={1}
            max={100}
            allowDecimal={false}
            value={notches}
            onChange={(value) => typeof value === 'number' && setNotches(value)}
          />
        </Group>
      )}
    </DialogForm>
  );
}

const DIRECTIONS = [
  { value: 'down', label: tr('downwards') },
  { value: 'up', label: tr('upwards') },
  { value: 'left', label: tr('to the left') },
  { value: 'right', label: tr('to the right') },
] as const;
