import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode, Ref } from 'react';
import { tr } from '../language/tr.ts';
import classes from './dialog.module.css';
import { submitOnModEnter } from './fields.ts';
import { ChordKeys } from './keys/kbd.tsx';

type Props = {
  /** Not called while it is loading or disabled. */
  onSubmit: () => void;
  onClose: () => void;
  /** What the button that closes is called, where it is not Cancel. */
  close?: ReactNode;
  /** What the button that submits is called. */
  submit: ReactNode;
  /** The key that is shown on the button: Ctrl+Enter, unless no field takes Enter for itself. */
  chord?: 'Enter';
  loading?: boolean;
  disabled?: boolean;
  /** A button between the two. */
  between?: ReactNode;
  /** How it went, over the buttons: as they do, it stays in sight however long the form is. */
  outcome?: ReactNode;
  submitRef?: Ref<HTMLButtonElement>;
  gap?: 'sm' | 'md';
  autoComplete?: 'off';
  children: ReactNode;
};

/** A form in a dialog: its fields one below the other, and the two buttons that close and submit it. */
export function DialogForm(props: Props): ReactNode {
  const {
    onSubmit,
    onClose,
    chord = 'Ctrl+Enter',
    loading = false,
    disabled = false,
    gap = 'sm',
    autoComplete,
  } = props;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!loading && !disabled) onSubmit();
  };
  return (
    <form
      className={classes.form}
      onSubmit={submit}
      onKeyDown={submitOnModEnter}
      {...(autoComplete && { autoComplete })}
    >
      <Stack gap={gap} className={classes.fields}>
        {props.children}
      </Stack>
      <div className={classes.foot}>
        {props.outcome}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose} rightSection={<ChordKeys chord="Escape" />}>
            {props.close ?? tr('Cancel')}
          </Button>
          {props.between}
          <Button
            type="submit"
            ref={props.submitRef}
            loading={loading}
            disabled={disabled}
            rightSection={<ChordKeys chord={chord} />}
          >
            {props.submit}
          </Button>
        </Group>
      </div>
    </form>
  );
}
