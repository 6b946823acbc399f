import { SegmentedControl, Select, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { TEMPLATES } from '../../core/annotate/narration-templates.ts';
import { FORGET_MINUTES } from '../../schemas/shortcuts.ts';
import { booleanSetting, choiceSetting, settingsQuery, useChangeSettings, useSettings } from '../client/settings.ts';
import { SCHEMES, useColorScheme } from '../client/use-color-scheme.ts';
import { useLanguage } from '../client/use-language.ts';
import { Browse, type Browsed } from '../desktop/pick.tsx';
import { LANGUAGE_CHOICES, LANGUAGES } from '../language/languages.ts';
import { tr } from '../language/tr.ts';
import { ErrorPanel, PageHeader, QueryError } from '../ui/parts.tsx';
import { KeySettings } from './keys.tsx';
import classes from './page.module.css';
import { RecorderKeys } from './recorder-keys.tsx';

/** The languages that narrations have templates in, by their own names. */
const NARRATION_LANGUAGES = Object.keys(TEMPLATES).map((value) => ({
  value,
  label: new Intl.DisplayNames([value], { type: 'language' }).of(value) ?? value,
}));
/** The language that texts are read in until another is named. */
const USUAL_TEXTS = 'eng';
const FORGET_CHOICES = [1, 2, 3, 5, 10, 15, 30, 60];
const SCHEME_NAMES = { auto: tr('System'), light: tr('Light'), dark: tr('Dark') } as const;

/** The user's settings of this machine: stored as they are changed. */
export function SettingsPage(): ReactNode {
  const loaded = useQuery(settingsQuery);
  const settings = useSettings();
  const change = useChangeSettings();
  const [failure, setFailure] = useState<unknown>(null);
  const { scheme, set } = useColorScheme();
  const language = useLanguage();
  const forgetMinutes = FORGET_CHOICES.find((minutes) => minutes === settings.forgetMinutes) ?? FORGET_MINUTES.usual;
  const store = (values: Record<string, unknown>): void => {
    setFailure(null);
    change(values).catch(setFailure);
  };
  return (
    <div className={classes.page}>
      <PageHeader
        title={tr('Settings')}
        about={tr('Of this machine and user, for all workspaces. Every change is stored at once.')}
      />
      <QueryError of={loaded} what={tr('The settings could not be read.')} />
      {failure !== null && (
        <ErrorPanel error={failure} what={tr('The change was not stored; the setting is as it was.')} />
      )}
      <section aria-labelledby="appearance">
        <h2 id="appearance">{tr('Appearance')}</h2>
        <Line label={tr('Theme')} about={tr('Light, dark, or the system’s setting.')}>
          <SegmentedControl
            aria-label={tr('Theme')}
            value={scheme}
            onChange={(value) => {
              const chosen = SCHEMES.find((one) => one === value);
              if (chosen) set(chosen);
            }}
            data={SCHEMES.map((value) => ({ value, label: SCHEME_NAMES[value] }))}
          />
        </Line>
        <Line label={tr('Language')} about={tr('Of these pages. What the studio itself reports is in English.')}>
          <Select
            aria-label={tr('Language')}
            data={LANGUAGE_CHOICES.map((value) => ({
              value,
              label: value === 'auto' ? tr('Same as browser') : LANGUAGES[value],
            }))}
            value={language.choice}
            onChange={(value) => {
              const chosen = LANGUAGE_CHOICES.find((one) => one === value);
              if (chosen) language.set(chosen).catch(setFailure);
            }}
            allowDeselect={false}
          />
        </Line>
      </section>
      <section aria-labelledby="annotation">
        <h2 id="annotation">{tr('Annotation')}</h2>
        <Line label={tr('Auto-advance')} about={tr('Enter confirms a step and goes to the next.')}>
          <Switch
            size="sm"
            aria-label={tr('Auto-advance')}
            checked={booleanSetting(settings, 'autoAdvance', true)}
            onChange={(event) => store({ autoAdvance: event.currentTarget.checked })}
          />
        </Line>
        <Line label={tr('Language of narrations')} about={tr('In which the sentences are made from the fields.')}>
          <Select
            aria-label={tr('Language of narrations')}
            data={NARRATION_LANGUAGES}
            value={choiceSetting(settings, 'language', Object.keys(TEMPLATES), 'en')}
            onChange={(language) => store({ language })}
            allowDeselect={false}
          />
        </Line>
      </section>
      <section aria-labelledby="texts">
        <h2 id="texts">{tr('Texts in pictures')}</h2>
        <Line
          label={tr('Read text in pictures')}
          about={tr(
            'After a recording, on this machine alone: the text at each press whose program told no name is offered as one.',
          )}
        >
          <Switch
            size="sm"
            aria-label={tr('Read text in pictures')}
            checked={booleanSetting(settings, 'readTexts', false)}
            onChange={(event) => store({ readTexts: event.currentTarget.checked })}
          />
        </Line>
        <TypedLine
          label={tr('Languages of the texts')}
          about={tr('As the program tesseract calls them, such as eng+deu. Others than eng are installed from npm.')}
          value={settings.textLanguages}
          placeholder={USUAL_TEXTS}
          onStore={(textLanguages) => store({ textLanguages })}
        />
        <TypedLine
          label={tr('Text data')}
          about={tr('A folder of this machine with the data of further languages, such as deu.traineddata.gz.')}
          value={settings.textFolder}
          placeholder=""
          onStore={(textFolder) => store({ textFolder })}
          browse={{ kind: 'folder' }}
        />
      </section>
      <section aria-labelledby="recorder">
        <h2 id="recorder">{tr('Keys while recording')}</h2>
        <p className={classes.about}>
          {tr(
            'Heard in every application while a recording runs, and never part of it. A change counts from the next recording on.',
          )}
        </p>
        <RecorderKeys onStore={store} />
        <Line
          label={tr('How much is forgotten')}
          about={tr(
            'While recording, one key forgets what was recorded last: nothing of it stays on the disk. Counts from the next recording on.',
          )}
        >
          <Select
            aria-label={tr('How much is forgotten')}
            data={FORGET_CHOICES.map((minutes) => ({
              value: String(minutes),
              label: tr('{minutes, plural, one {# minute} other {# minutes}}', { minutes }),
            }))}
            value={String(forgetMinutes)}
            onChange={(value) => store({ forgetMinutes: Number(value) })}
            allowDeselect={false}
          />
        </Line>
      </section>
      <section aria-labelledby="keys">
        <h2 id="keys">{tr('Keys on the pages')}</h2>
        <Line
          label={tr('Show every key')}
          about={tr('Else the main keys alone, the others in tooltips and while Alt is held.')}
        >
          <Switch
            size="sm"
            aria-label={tr('Show every key')}
            checked={booleanSetting(settings, 'allKeys', false)}
            onChange={(event) => store({ allKeys: event.currentTarget.checked })}
          />
        </Line>
        <KeySettings onStore={store} />
      </section>
    </div>
  );
}

/** A setting in words, stored when the field is left; empty: the usual value. */
function TypedLine(props: {
  label: string;
  about: string;
  value: unknown;
  placeholder: string;
  onStore(value: string | null): void;
  /** What can be chosen, where it is a path. */
  browse?: Browsed;
}): ReactNode {
  const { label, about, placeholder, onStore, browse } = props;
  const value = typeof props.value === 'string' ? props.value : '';
  return (
    <Line label={label} about={about}>
      <TextInput
        key={value}
        aria-label={label}
        defaultValue={value}
        placeholder={placeholder}
        maxLength={500}
        onBlur={(event) => {
          const typed = event.currentTarget.value.trim();
          if (typed !== value) onStore(typed === '' ? null : typed);
        }}
      />
      {browse && <Browse {...browse} value={value} onPicked={onStore} />}
    </Line>
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
