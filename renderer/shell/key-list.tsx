import { Anchor, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { findCommands, keysOf, scopeName } from '../ui/keys/commands.ts';
import { ChordKeys } from '../ui/keys/kbd.tsx';
import { useKeys } from '../ui/keys/store.ts';
import classes from './palette.module.css';

/** All keys of all pages in one list (`?`), the page that is open first. */
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
  const found = findCommands([...known.values()], text);
  const here = new Set(active.flat().map((command) => command.scope));
  const scopes = [...new Set(found.map((command) => command.scope))].sort(
    (a, b) => Number(here.has(b)) - Number(here.has(a)) || scopeName(a).localeCompare(scopeName(b), 'en'),
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
      <Anchor component={Link} href="/settings" size="sm" onClick={onClose}>
        {tr('Change keys in the settings')}
      </Anchor>
    </>
  );
}
