import { Checkbox, Group, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ExportFormat } from '../../schemas/api/datasets.ts';
import { tr } from '../language/tr.ts';
import type { Picked } from './left-out.ts';
import classes from './page.module.css';

/** One of FORMAT_WORDS in the language shown; a format that a newer studio has is told in English. */
const shown = (text: string): string => tr(text);
const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

type Props = { formats: readonly ExportFormat[]; picked: Picked; onChange: (picked: Picked) => void };

/** Every format with what it is for; the choices of those that are chosen. */
export function FormatList({ formats, picked, onChange }: Props): ReactNode {
  return (
    <ul className={classes.formats}>
      {formats.map((format) => (
        <FormatItem key={format.name} format={format} picked={picked} onChange={onChange} />
      ))}
    </ul>
  );
}

function FormatItem(props: { format: ExportFormat; picked: Picked; onChange: (picked: Picked) => void }): ReactNode {
  const { format, picked, onChange } = props;
  const choice = picked[format.name];
  const toggle = (): void => {
    if (!choice) {
      const options = Object.fromEntries(format.options.map((option) => [option.name, option.default]));
      onChange({ ...picked, [format.name]: { parts: format.defaultParts, options } });
      return;
    }
    const { [format.name]: _, ...others } = picked;
    onChange(others);
  };
  const change = (part: Partial<Picked[string]>): void =>
    onChange({ ...picked, [format.name]: { parts: [], options: {}, ...choice, ...part } });
  return (
    <li className={classes.format} data-chosen={choice !== undefined}>
      <Checkbox
        size="xs"
        label={format.title}
        description={shown(format.purpose)}
        checked={choice !== undefined}
        onChange={toggle}
        classNames={{
          label: classes.formatName,
          labelWrapper: classes.formatWords,
          description: classes.formatPurpose,
        }}
      />
      {choice && (format.parts.length > 0 || format.options.length > 0) && (
        <div className={classes.choices}>
          {format.parts.length > 0 && (
            <Checkbox.Group
              size="xs"
              label={tr('Parts')}
              value={[...choice.parts]}
              onChange={(parts) => change({ parts })}
              aria-label={tr('Parts of {title}', { title: format.title })}
            >
              {format.parts.map((part) => (
                <Checkbox
                  key={part.name}
                  size="xs"
                  mt={4}
                  value={part.name}
                  label={`${part.name}: ${shown(part.what)}`}
                />
              ))}
            </Checkbox.Group>
          )}
          <Group gap={12} align="flex-end">
            {format.options.map((option) => (
              <Select
                key={option.name}
                label={capitalised(shown(option.what))}
                data={option.values.map(({ name, what }) => ({ value: name, label: shown(what) }))}
                value={choice.options[option.name] ?? option.default}
                onChange={(value) => change({ options: { ...choice.options, [option.name]: value ?? option.default } })}
                allowDeselect={false}
                w={300}
                mt={6}
              />
            ))}
          </Group>
        </div>
      )}
    </li>
  );
}
