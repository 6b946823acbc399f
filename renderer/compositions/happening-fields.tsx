import { Button, FileButton } from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Composition, Happening } from '../../schemas/composition.ts';
import { COMPOSITION_LIMITS } from '../../schemas/limits.ts';
import { tr } from '../language/tr.ts';
import classes from './edit.module.css';
import { useEditing } from './editing.ts';
import { readTextFile } from './event-file.ts';
import { OfferedField, WrittenField } from './fields.tsx';

type Props<Kind extends Happening['kind']> = {
  happening: Happening & { kind: Kind };
  field: (name: string) => string;
  onWrite: (next: Happening) => Composition;
};
type Read = {
  /** Changes it as it is by then: a file was read meanwhile. */
  onRead: (next: (now: Happening & { kind: 'file' }) => Happening) => void;
};

/** Lines of a text that are shown at most; a longer one scrolls. */
const MOST_LINES = 14;

/** The fields of what happens, by its kind. */
export function HappeningFields({ happening, ...rest }: Props<Happening['kind']> & Read): ReactNode {
  switch (happening.kind) {
    case 'file':
      return <FileFields {...rest} happening={happening} />;
    case 'mail':
      return <MailFields {...rest} happening={happening} />;
    case 'notification':
      return <NotificationFields {...rest} happening={happening} />;
    case 'service':
      return <ServiceFields {...rest} happening={happening} />;
    case 'window':
      return (
        <WrittenField
          label={tr('A part of its title')}
          field={rest.field('title')}
          value={happening.title}
          maxLength={COMPOSITION_LIMITS.short}
          onWrite={(title) => rest.onWrite({ ...happening, title })}
        />
      );
  }
}

function FileFields({ happening, field, onWrite, onRead }: Props<'file'> & Read): ReactNode {
  const { isLocked } = useEditing();
  const [why, setWhy] = useState<string | null>(null);
  const take = async (file: File | null): Promise<void> => {
    if (file === null) return;
    const read = await readTextFile(file);
    setWhy('why' in read ? read.why : null);
    if ('text' in read)
      onRead((now) => ({ ...now, to: now.to === '' ? `Downloads/${file.name}` : now.to, text: read.text }));
  };
  return (
    <>
      <div className={classes.row}>
        <WrittenField
          label={tr('Where it comes, in the home of the stage')}
          field={field('to')}
          placeholder={tr('such as Downloads/agenda.txt')}
          value={happening.to}
          maxLength={COMPOSITION_LIMITS.short}
          onWrite={(to) => onWrite({ ...happening, to })}
          className={classes.wide}
        />
        <FileButton onChange={(file) => void take(file)} disabled={isLocked}>
          {(button) => (
            <Button {...button} variant="default" disabled={isLocked} leftSection={<IconFile size={15} aria-hidden />}>
              {tr('Take a file of yours …')}
            </Button>
          )}
        </FileButton>
      </div>
      {why !== null && (
        <p className={classes.notice} role="alert">
          {why}
        </p>
      )}
      <WrittenField
        label={tr('What is in it')}
        field={field('text')}
        value={happening.text}
        maxLength={COMPOSITION_LIMITS.eventText}
        lines={3}
        mostLines={MOST_LINES}
        onWrite={(text) => onWrite({ ...happening, text })}
      />
    </>
  );
}

function MailFields({ happening, field, onWrite }: Props<'mail'>): ReactNode {
  return (
    <>
      <div className={classes.row}>
        <WrittenField
          label={tr('Sender')}
          field={field('from')}
          value={happening.from}
          maxLength={COMPOSITION_LIMITS.short}
          onWrite={(from) => onWrite({ ...happening, from })}
        />
        <WrittenField
          label={tr('Recipient')}
          field={field('to')}
          value={happening.to}
          maxLength={COMPOSITION_LIMITS.short}
          onWrite={(to) => onWrite({ ...happening, to })}
        />
        <WrittenField
          label={tr('Mailbox (a Maildir of the home)')}
          field={field('folder')}
          placeholder={tr('such as Mail/mara')}
          value={happening.folder}
          maxLength={COMPOSITION_LIMITS.short}
          onWrite={(folder) => onWrite({ ...happening, folder })}
        />
      </div>
      <WrittenField
        label={tr('Subject')}
        field={field('subject')}
        value={happening.subject}
        maxLength={COMPOSITION_LIMITS.short}
        onWrite={(subject) => onWrite({ ...happening, subject })}
      />
      <WrittenField
        label={tr('What the mail says')}
        field={field('text')}
        value={happening.text}
        maxLength={COMPOSITION_LIMITS.text}
        lines={4}
        mostLines={MOST_LINES}
        onWrite={(text) => onWrite({ ...happening, text })}
      />
    </>
  );
}

function NotificationFields({ happening, field, onWrite }: Props<'notification'>): ReactNode {
  return (
    <>
      <WrittenField
        label={tr('Title')}
        field={field('title')}
        value={happening.title}
        maxLength={COMPOSITION_LIMITS.short}
        onWrite={(title) => onWrite({ ...happening, title })}
      />
      <WrittenField
        label={tr('What it says')}
        field={field('text')}
        value={happening.text}
        maxLength={COMPOSITION_LIMITS.text}
        lines={2}
        mostLines={MOST_LINES}
        onWrite={(text) => onWrite({ ...happening, text })}
      />
    </>
  );
}

function ServiceFields({ happening, field, onWrite }: Props<'service'>): ReactNode {
  const { services } = useEditing();
  const withChanges = services.filter(({ changes }) => changes.length > 0);
  const changes = withChanges.filter(({ name }) => name === happening.service).flatMap((one) => one.changes);
  return (
    <>
      <div className={classes.row}>
        <OfferedField
          label={tr('Service, as a recipe names it')}
          field={field('service')}
          value={happening.service}
          names={withChanges.map(({ name }) => name)}
          maxLength={COMPOSITION_LIMITS.short}
          onWrite={(service) => onWrite({ ...happening, service })}
        />
        <OfferedField
          label={tr('Change, as the recipe names it')}
          field={field('change')}
          value={happening.change}
          names={changes}
          maxLength={COMPOSITION_LIMITS.short}
          onWrite={(change) => onWrite({ ...happening, change })}
        />
      </div>
      {withChanges.length === 0 && (
        <p className={classes.fine}>{tr('No recipe of its tasks has a service that names changes.')}</p>
      )}
    </>
  );
}
