import { Anchor, Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { findCommands, keysOf, scopeName } from '../ui/keys/commands.ts';
import { ChordKeys } from '../ui/keys/kbd.tsx';
import { useKeys } from '../ui/keys/store.ts';
import classes from './palette.module.css';

/** The keys of the page that is open and of all pages in one list (`?`), the others' when asked for. */
export function KeyList({ opened, onClose }: { opened: boolean; onClose: () => void }): ReactNode {
  return (
    <Dialog opened={opened} onClose={onClose} title={tr('Keys')} size={880}>
      <Keys onClose={onClose} />
    </Dialog>
  );
}

function Keys({ onClose }: { onClose: () => void }): ReactNode {
  const { known, chosen, mac, active } = useKeys();
  const [text, setText] = useState('');
  const [all, setAll] = useState(false);
  const here = new Set(active.flat().map((command) => command.scope));
  // What can be pressed now; the other pages' are found by searching, or shown when asked for.
  const shown = [...known.values()].filter(({ scope }) => all || text.trim() !== '' || here.has(scope));
  const found = findCommands(shown, text);
  const scopes = [...new Set(found.map((command) => command.scope))].sort(
    (a, b) =>
      Number(here.has(b)) - Number(here.has(a)) ||
      Number(a === 'global') - Number(b === 'global') ||
      scopeName(a).localeCompare(scopeName(b), 'en'),
  );
  return (
    <>
      <TextInput
        label={tr('Find a key')}
        placeholder={tr('search, undo, narration …')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
      <div className={classes.groups}>
        {scopes.map((scope) => (
          <section key={scope} className={classes.group}>
            <h3>{scopeName(scope)}</h3>
            <dl>
              {found
                .filter((command) => command.scope === scope)
                .map((command) => (
                  <div key={command.id} className={classes.row}>
                    <dt>{command.label}</dt>
                    <dd>
                      {keysOf(command, chosen, mac).map((chord) => (
                        <ChordKeys key={chord} chord={chord} />
                      ))}
                      {keysOf(command, chosen, mac).length === 0 && tr('no key')}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
      {found.length === 0 && <p className={classes.nothing}>{tr('No matching commands.')}</p>}
      {text.trim() === '' && (
        <Button variant="default" size="compact-sm" aria-pressed={all} onClick={() => setAll(!all)}>
          {all ? tr('Only the keys of this page') : tr('Show the keys of all pages')}
        </Button>
      )}
      <Anchor component={Link} href="/settings" size="sm" onClick={onClose}>
        {tr('Change keys in the settings')}
      </Anchor>
    </>
  );
}
