import { Autocomplete, Textarea, TextInput } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { ariaKey, chordOf, formatKey } from '../../ui/keys/chord.ts';
import { Kbd } from '../../ui/keys/kbd.tsx';
import { commandFor, useKeys, useKeysOf } from '../../ui/keys/store.ts';
import { useActions, useTools } from '../context.ts';
import { readOnlyNow, useWork } from '../store.ts';
import { textTooLong } from '../too-long.ts';
import { type FieldDraft, useFieldDraft } from './draft.ts';
import classes from './form.module.css';

/**
 * Enter stores and leaves the field; with Ctrl the step is confirmed too. Escape puts back what was stored. Undo is the
 * field's own while something is typed; else it is the document's, and the keys after it are, too.
 */
function useFieldKeys(draft: FieldDraft): (event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>) => void {
  const actions = useActions();
  const { focus } = useTools();
  return (event) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      draft.revert();
      return;
    }
    const chord = draft.typing ? null : chordOf(event.nativeEvent, useKeys.getState().mac);
    const command = chord === null ? null : commandFor(chord);
    if (command?.id === 'annotate.undo' || command?.id === 'annotate.redo') {
      event.preventDefault();
      focus.go('list');
      command.run(event.nativeEvent);
      return;
    }
    // Enter in an open list of completions takes the one that is marked.
    if (event.key !== 'Enter' || event.shiftKey || event.currentTarget.getAttribute('aria-activedescendant')) return;
    event.preventDefault();
    if (draft.problem) {
      draft.finish();
      return;
    }
    draft.finish();
    focus.go('list');
    if (event.ctrlKey || event.metaKey) actions.confirmAndGo();
  };
}

const useReadOnly = (): boolean => useWork((state) => readOnlyNow(state) !== null);

function useNamedField<T extends HTMLElement>(name: string) {
  const { focus } = useTools();
  const element = useRef<T>(null);
  useEffect(() => focus.register(name, () => element.current), [focus, name]);
  return element;
}

function Label({ label, command, after, main }: Pick<FieldProps, 'label' | 'command' | 'after' | 'main'>): ReactNode {
  const [chord] = useKeysOf(command ?? '');
  return (
    <span className={classes.label} title={chord === undefined ? undefined : `${label} (${formatKey(chord)})`}>
      {label} {command !== undefined && <Kbd command={command} {...(main && { main })} />} {after}
    </span>
  );
}

type FieldProps = {
  name: string;
  label: string;
  command?: string;
  /** Its key is in view always. */
  main?: boolean;
  identity: string;
  value: string;
  placeholder?: string;
  limit: number;
  after?: ReactNode;
  description?: string;
  /** Writable even where the document is not: what it holds is no part of the annotation. */
  always?: boolean;
  store: (identity: string, text: string) => void;
};

/** The draft of a field, and the properties that every kind of field has. */
function useField<T extends HTMLElement>(props: FieldProps) {
  const draft = useFieldDraft({ ...props, problemOf: (text) => textTooLong(props.label, text, props.limit) });
  const ref = useNamedField<T>(props.name);
  const keys = useKeysOf(props.command ?? '');
  const readOnly = useReadOnly() && props.always !== true;
  const shared = {
    ref,
    label: <Label {...props} />,
    'aria-label': props.label,
    readOnly,
    'aria-keyshortcuts': keys.map(ariaKey).join(' ') || undefined,
    description: props.description,
    placeholder: props.placeholder,
    value: draft.text,
    error: draft.problem,
    onBlur: draft.finish,
    onKeyDown: useFieldKeys(draft),
  };
  return { draft, shared };
}

export function LineField(props: FieldProps): ReactNode {
  const { draft, shared } = useField<HTMLInputElement>(props);
  return <TextInput {...shared} autoComplete="off" onChange={(event) => draft.change(event.currentTarget.value)} />;
}

/** `rows`: from how many on, `mostRows`: up to how many it grows with its text. */
export function TextField(props: FieldProps & { rows?: number; mostRows?: number }): ReactNode {
  const { draft, shared } = useField<HTMLTextAreaElement>(props);
  return (
    <Textarea
      {...shared}
      autosize
      minRows={props.rows ?? 2}
      maxRows={props.mostRows ?? props.rows ?? 2}
      classNames={{ input: classes.text ?? '' }}
      onChange={(event) => draft.change(event.currentTarget.value)}
    />
  );
}

/** A name, with completions. Each is offered once; the longest list that is looked through stays quick. */
export function NameField(props: FieldProps & { names: readonly string[] }): ReactNode {
  const { draft, shared } = useField<HTMLInputElement>(props);
  const data = useMemo(() => {
    const text = draft.text.trim().toLowerCase();
    const hits = props.names.filter((name) => name.toLowerCase().includes(text) && name !== draft.text);
    const begins = (name: string) => (name.toLowerCase().startsWith(text) ? 0 : 1);
    return hits.sort((a, b) => begins(a) - begins(b)).slice(0, 8);
  }, [props.names, draft.text]);
  return (
    <Autocomplete
      {...shared}
      data={data}
      filter={({ options }) => options}
      maxDropdownHeight={260}
      autoComplete="off"
      onChange={draft.change}
    />
  );
}

/** Names for completion: the software's own, then those of this recording, each once. */
export function useNames(
  vocabulary: readonly { name: string }[],
  used: readonly (string | null | undefined)[],
): string[] {
  return useMemo(
    () => [...new Set([...vocabulary.map(({ name }) => name), ...used.filter((name) => name != null)])],
    [vocabulary, used],
  );
}
