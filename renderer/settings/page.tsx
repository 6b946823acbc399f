import { SegmentedControl, Select, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { TEMPLATES } from '../../core/annotate/narration-templates.ts';
import { FORGET_MINUTES } from '../../schemas/shortcuts.ts';
import { booleanSetting, choiceSetting, settingsQuery, useChangeSettings, useSettings } from '../client/settings.ts';
import { SCHEMES, useColorScheme } from '../client/use-color-scheme.ts';
import { plural } from '../ui/format.ts';
import { ErrorPanel, PageHeader } from '../ui/parts.tsx';
import { KeySettings } from './keys.tsx';
import classes from './page.module.css';
import { RecorderKeys } from './recorder-keys.tsx';

/** The languages that narrations have templates in, by their own names. */
const LANGUAGES = Object.keys(TEMPLATES).map((value) => ({
  value,
  label: new Intl.DisplayNames([value], { type: 'language' }).of(value) ?? value,
}));
const FORGET_CHOICES = [1, 2, 3, 5, 10, 15, 30, 60];
const SCHEME_NAMES = { auto: 'As the system', light: 'Light', dark: 'Dark' } as const;

/** The user's settings of this machine: stored as they are changed. */
export function SettingsPage(): ReactNode {
  const loaded = useQuery(settingsQuery);
  const settings = useSettings();
  const change = useChangeSettings();
  const [failure, setFailure] = useState<unknown>(null);
  const { scheme, set } = useColorScheme();
  const forgetMinutes = FORGET_CHOICES.find((minutes) => minutes === settings.forgetMinutes) ?? FORGET_MINUTES.usual;
  const store = (values: Record<string, unknown>): void => {
    setFailure(null);
    change(values).catch(setFailure);
  };
  return (
    <div className={classes.page}>
      <PageHeader
        title="Settings"
        about="Of this machine and user, for all workspaces. Every change is stored at once."
      />
      {loaded.error && (
        <ErrorPanel error={loaded.error} what="The settings could not be read." onRetry={() => void loaded.refetch()} />
      )}
      {failure !== null && <ErrorPanel error={failure} what="The change was not stored; the setting is as it was." />}
      <section className={classes.section} aria-labelledby="appearance">
        <h2 id="appearance">Appearance</h2>
        <Line label="Theme" about="Light, dark, or what the system says.">
          <SegmentedControl
            aria-label="Theme"
            value={scheme}
            onChange={(value) => {
              const chosen = SCHEMES.find((one) => one === value);
              if (chosen) set(chosen);
            }}
            data={SCHEMES.map((value) => ({ value, label: SCHEME_NAMES[value] }))}
          />
        </Line>
      </section>
      <section className={classes.section} aria-labelledby="annotation">
        <h2 id="annotation">Annotation</h2>
        <Line label="Auto-advance" about="Enter confirms a step and goes to the next.">
          <Switch
            size="sm"
            aria-label="Auto-advance"
            checked={booleanSetting(settings, 'autoAdvance', true)}
            onChange={(event) => store({ autoAdvance: event.currentTarget.checked })}
          />
        </Line>
        <Line label="Language of narrations" about="In which the sentences are made from the fields.">
          <Select
            aria-label="Language of narrations"
            data={LANGUAGES}
            value={choiceSetting(settings, 'language', Object.keys(TEMPLATES), 'en')}
            onChange={(language) => store({ language })}
            allowDeselect={false}
          />
        </Line>
      </section>
      <section className={classes.section} aria-labelledby="recorder">
        <h2 id="recorder">Keys while recording</h2>
        <p className={classes.about}>
          Heard in every application while a recording runs, and never part of it. A change counts from the next
          recording on.
        </p>
        <RecorderKeys onStore={store} />
        <Line
          label="How much is forgotten"
          about="While recording, one key forgets what was recorded last: nothing of it stays on the disk. Counts from the next recording on."
        >
          <Select
            aria-label="How much is forgotten"
            data={FORGET_CHOICES.map((minutes) => ({ value: String(minutes), label: plural(minutes, 'minute') }))}
            value={String(forgetMinutes)}
            onChange={(value) => store({ forgetMinutes: Number(value) })}
            allowDeselect={false}
          />
        </Line>
      </section>
      <section className={classes.section} aria-labelledby="keys">
        <h2 id="keys">Keys on the pages</h2>
        <Line label="Show every key" about="Else the main keys alone, the others in tooltips and while Alt is held.">
          <Switch
            size="sm"
            aria-label="Show every key"
            checked={booleanSetting(settings, 'allKeys', false)}
            onChange={(event) => store({ allKeys: event.currentTarget.checked })}
          />
        </Line>
        <KeySettings onStore={store} />
      </section>
    </div>
  );
}

function Line({ label, about, children }: { label: string; about: string; children: ReactNode }): ReactNode {
  return (
    <div className={classes.line}>
      <div className={classes.lineText}>
        <div className={classes.lineLabel}>{label}</div>
        <div className={classes.about}>{about}</div>
      </div>
      {children}
    </div>
  );
}
