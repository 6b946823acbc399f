import { NumberInput, Select, Switch, TagsInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Preflight } from '../../schemas/api/models.ts';
import { tr } from '../language/tr.ts';
import { Kbd } from '../ui/keys/kbd.tsx';
import type { RecordOptions } from './options.ts';
import classes from './page.module.css';

type Props = {
  options: RecordOptions;
  people: readonly { id: string; name: string }[];
  /** One of the people, or nobody. */
  person: string | null;
  /** The check on asking programs; absent where they cannot be asked. */
  asking: Preflight['checks'][number] | undefined;
  /** They are asked. */
  asks: boolean;
  onChange: (part: Partial<RecordOptions>) => void;
};

/** How it is recorded: speed, by whom, what is left out, whether programs are asked. */
export function OptionFields({ options, people, person, asking, asks, onChange }: Props): ReactNode {
  return (
    <>
      <div className={classes.fields}>
        <NumberInput
          label={tr('Frames per second')}
          min={5}
          max={60}
          allowDecimal={false}
          clampBehavior="strict"
          value={options.fps}
          onChange={(value) => typeof value === 'number' && onChange({ fps: value })}
        />
        <NumberInput
          label={tr('Countdown (seconds)')}
          min={0}
          max={60}
          allowDecimal={false}
          clampBehavior="strict"
          value={options.countdown}
          onChange={(value) => typeof value === 'number' && onChange({ countdown: value })}
        />
      </div>
      <Select
        label={tr('Recorded by')}
        placeholder={tr('Not specified')}
        data={people.map(({ id, name }) => ({ value: id, label: name }))}
        value={person}
        onChange={(value) => onChange({ person: value })}
        clearable
        clearButtonProps={{ 'aria-label': tr('Clear') }}
      />
      <TagsInput
        size="xs"
        label={tr('Exclude windows whose title contains')}
        description={tr(
          'While such a window is in front, nothing of it is recorded: a password manager, a mail program.',
        )}
        placeholder={options.exclude.length === 0 ? tr('Type a word and press Enter') : ''}
        value={options.exclude}
        onChange={(exclude) => onChange({ exclude })}
        maxTags={50}
      />
      <TagsInput
        size="xs"
        label={tr('Record only these programs')}
        description={tr('While another program is in front, nothing is recorded. Leave it empty to record all.')}
        placeholder={options.only.length === 0 ? tr('Type a word and press Enter') : ''}
        value={options.only}
        onChange={(only) => onChange({ only })}
        maxTags={50}
      />
      {asking && options.elements !== false && (
        <TagsInput
          size="xs"
          label={tr('Withhold what is typed into windows whose title contains')}
          description={tr(
            'Programs that are known to ask for passwords, and fields that say so, need not be named. The pictures show such a window.',
          )}
          placeholder={options.secretPrograms.length === 0 ? tr('Type a word and press Enter') : ''}
          value={options.secretPrograms}
          onChange={(secretPrograms) => onChange({ secretPrograms })}
          maxTags={50}
        />
      )}
      {asking && (
        <Switch
          size="sm"
          checked={asks}
          disabled={asking.status !== 'ok'}
          onChange={(event) => onChange({ elements: event.currentTarget.checked })}
          label={
            <>
              {tr('Record the element at each press')} <Kbd command="record.elements" />
            </>
          }
          description={
            <>
              {tr(
                'Programs are asked for the name and box of what is clicked, so steps come named; what is typed into their password fields is not recorded.',
              )}
              {/* Where it is not, this machine's own lines say why. */}
              {asks && asking.status === 'ok' && (
                <span className={classes.asked}>{tr('Now: {what}.', { what: asking.what })}</span>
              )}
            </>
          }
        />
      )}
      {asks && (
        <Switch
          size="sm"
          checked={options.elementNames}
          onChange={(event) => onChange({ elementNames: event.currentTarget.checked })}
          label={
            <>
              {tr('With its name')} <Kbd command="record.element-names" />
            </>
          }
          description={tr(
            'A name may quote a document or a contact. Without names, steps get their boxes, and the names are yours to write.',
          )}
        />
      )}
    </>
  );
}
