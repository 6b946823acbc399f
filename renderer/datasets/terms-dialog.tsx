import { ActionIcon, Autocomplete, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { knownLicence, LICENCES } from '../../core/export/licences.ts';
import type { DatasetTerms, TermsSource } from '../../schemas/dataset-terms.ts';
import { client } from '../client/api.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { ErrorPanel } from '../ui/parts.tsx';
import { datasetQueries } from './queries.ts';

type Props = { ws: string; opened: boolean; onClose: () => void };

/** The terms on every card and in every archive: licence, citation, sources. */
export function TermsDialog({ ws, opened, onClose }: Props): ReactNode {
  return (
    <Dialog opened={opened} onClose={onClose} title={tr('Licence, citation and sources')} size="lg">
      <Loaded ws={ws} onClose={onClose} />
    </Dialog>
  );
}

function Loaded({ ws, onClose }: Omit<Props, 'opened'>): ReactNode {
  const { data, error, refetch } = useQuery({ ...datasetQueries.terms(ws), staleTime: 0 });
  if (error)
    return <ErrorPanel error={error} what={tr('They could not be read.')} onRetry={() => void refetch()} compact />;
  if (!data) return <Text size="sm">{tr('Loading …')}</Text>;
  return <Form ws={ws} terms={data} onClose={onClose} />;
}

const EMPTY: TermsSource = { name: '', url: '', licence: '' };
const isEmpty = ({ name, url, licence }: TermsSource): boolean => `${name}${url}${licence}`.trim() === '';
const IDENTIFIERS = LICENCES.map(({ spdx }) => spdx);

function Form({ ws, terms, onClose }: { ws: string; terms: DatasetTerms; onClose: () => void }): ReactNode {
  const cache = useQueryClient();
  const [licence, setLicence] = useState(terms.licence);
  const [citation, setCitation] = useState(terms.citation);
  const [sources, setSources] = useState<readonly TermsSource[]>(terms.sources);
  const save = useMutation({
    mutationFn: (wanted: DatasetTerms) => client.dataset.setTerms({ ws, terms: wanted }),
    onSuccess: (kept) => {
      cache.setQueryData(datasetQueries.terms(ws).queryKey, kept);
      onClose();
    },
  });
  const kept = sources.filter((source) => !isEmpty(source));
  const unnamed = kept.some(({ name }) => name.trim() === '');
  const known = knownLicence(licence);
  const change = (at: number, fields: Partial<TermsSource>): void =>
    setSources(sources.map((one, place) => (place === at ? { ...one, ...fields } : one)));
  return (
    <DialogForm
      onSubmit={() => save.mutate({ licence, citation, sources: kept })}
      onClose={onClose}
      disabled={unnamed}
      loading={save.isPending}
      submit={tr('Save')}
    >
      <Text size="sm" c="dimmed">
        {tr(
          'They go onto the card of every export and into every archive. Versions keep what was set when they were frozen.',
        )}
      </Text>
      <Autocomplete
        label={tr('Licence')}
        description={
          licence.trim() === ''
            ? tr('An SPDX identifier such as CC-BY-4.0, or the name of another licence')
            : (known?.name ?? tr('Not an identifier that is known here: it is written as you typed it'))
        }
        data={IDENTIFIERS}
        limit={8}
        value={licence}
        onChange={setLicence}
        maxLength={200}
        data-autofocus
      />
      <Textarea
        label={tr('Citation')}
        description={tr('As others are to cite the data set, BibTeX for instance')}
        value={citation}
        onChange={(event) => setCitation(event.currentTarget.value)}
        maxLength={20_000}
        autosize
        minRows={3}
        maxRows={10}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <fieldset style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
        <Text component="legend" size="sm" fw={500} mb={2}>
          {tr('Sources')}
        </Text>
        <Text size="xs" c="dimmed" mb={6}>
          {tr('What it was made of. The videos that tasks name as their source are listed by themselves.')}
        </Text>
        <Stack gap={6}>
          {sources.map((source, at) => (
            // Rows have no identity of their own but their place.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above.
            <Group key={at} gap={6} wrap="nowrap" align="flex-start">
              <TextInput
                aria-label={tr('Name of source {number}', { number: at + 1 })}
                placeholder={tr('Name')}
                value={source.name}
                onChange={(event) => change(at, { name: event.currentTarget.value })}
                error={!isEmpty(source) && source.name.trim() === '' ? tr('A source has a name.') : undefined}
                maxLength={300}
                style={{ flex: 2 }}
              />
              <TextInput
                aria-label={tr('Link of source {number}', { number: at + 1 })}
                placeholder={tr('Link')}
                value={source.url}
                onChange={(event) => change(at, { url: event.currentTarget.value })}
                maxLength={2000}
                style={{ flex: 2 }}
              />
              <TextInput
                aria-label={tr('Licence of source {number}', { number: at + 1 })}
                placeholder={tr('Licence')}
                value={source.licence}
                onChange={(event) => change(at, { licence: event.currentTarget.value })}
                maxLength={200}
                style={{ flex: 1 }}
              />
              <ActionIcon
                variant="subtle"
                mt={2}
                aria-label={tr('Remove source {number}', { number: at + 1 })}
                onClick={() => setSources(sources.filter((_, place) => place !== at))}
              >
                <IconX size={15} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
          <Group>
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconPlus size={13} aria-hidden />}
              onClick={() => setSources([...sources, EMPTY])}
            >
              {tr('Add a source')}
            </Button>
          </Group>
        </Stack>
      </fieldset>
      {save.error && <ErrorPanel error={save.error} what={tr('Nothing was changed.')} compact />}
    </DialogForm>
  );
}
