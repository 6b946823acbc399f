import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { type ReactNode, type Ref, useRef, useState } from 'react';
import { tr } from '../language/tr.ts';
import { type CommandDefinition, findCommands, keysOf, scopeName } from '../ui/keys/commands.ts';
import { SearchField } from '../ui/keys/search-field.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { KeyCapture } from './capture.tsx';
import { useKeyGiving } from './give-key.ts';
import classes from './page.module.css';

/** Every command with its key: change it by pressing another, take it away, or put back what it was. */
export function KeySettings({ onStore }: { onStore: (values: Record<string, unknown>) => void }): ReactNode {
  const { all, chosen, mac, take, remove, reset } = useKeyGiving(onStore);
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useHandlers('settings', { 'settings.find': () => field.current?.focus() });
  const found = findCommands(all, text);
  /** Enter changes the first that is found. */
  const first = useRef<HTMLButtonElement>(null);
  const scopes = [...new Set(found.map((command) => command.scope))];
  return (
    <>
      <div className={classes.find}>
        <SearchField
          field={field}
          label={tr('Find a command')}
          placeholder={tr('Find a command')}
          command="settings.find"
          value={text}
          onChange={setText}
          onEnter={() => {
            if (text.trim() === '') return;
            first.current?.focus();
            first.current?.click();
          }}
        />
        <Button
          variant="default"
          leftSection={<IconArrowBackUp size={15} aria-hidden />}
          disabled={Object.keys(chosen).length === 0}
          onClick={() => onStore({ keys: null })}
        >
          {tr('Reset all shortcuts')}
        </Button>
      </div>
      {text.trim() !== '' && found[0] && (
        <p className={classes.about} role="status">
          {tr('Enter changes the key of “{label}”.', { label: found[0].label })}
        </p>
      )}
      {scopes.map((scope) => (
        <div key={scope}>
          <h3 className={classes.scope}>{scopeName(scope)}</h3>
          {found
            .filter((command) => command.scope === scope)
            .map((command) => (
              <KeyLine
                key={command.id}
                command={command}
                button={command === found[0] ? first : undefined}
                chords={keysOf(command, chosen, mac)}
                changed={chosen[command.id] !== undefined}
                take={(chord) => take(command, chord)}
                onRemove={() => remove(command)}
                onReset={() => reset(command)}
              />
            ))}
        </div>
      ))}
      {found.length === 0 && <p className={classes.about}>{tr('No matching commands.')}</p>}
    </>
  );
}

function KeyLine(props: {
  command: CommandDefinition;
  button: Ref<HTMLButtonElement> | undefined;
  chords: readonly string[];
  changed: boolean;
  take: (chord: string) => string | null;
  onRemove: () => void;
  onReset: () => string | null;
}): ReactNode {
  const { command, chords, changed } = props;
  const [refused, setRefused] = useState<string | null>(null);
  return (
    <div className={classes.keyLine}>
      <span className={classes.keyLabel}>{command.label}</span>
      {refused !== null && (
        <span className={classes.refused} role="alert">
          {refused}
        </span>
      )}
      {changed && (
        <Button
          variant="subtle"
          size="compact-xs"
          onClick={() => setRefused(props.onReset())}
          aria-label={tr('Reset the key of {label}', { label: command.label })}
        >
          {tr('Reset')}
        </Button>
      )}
      {chords.length > 0 && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          onClick={props.onRemove}
          aria-label={tr('Remove the key of {label}', { label: command.label })}
        >
          {tr('Remove')}
        </Button>
      )}
      <KeyCapture label={command.label} chords={chords} take={props.take} button={props.button} />
    </div>
  );
}
