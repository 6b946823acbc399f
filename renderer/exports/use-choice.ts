import { useState } from 'react';
import type { DatasetSource, ExportFormat, ExportWishes } from '../../schemas/api/datasets.ts';
import { filterOfParts, partsOfFilter } from '../datasets/address.ts';
import { useDatasetView } from '../datasets/store.ts';
import { listPart, valuesOfPart } from '../ui/address.ts';
import { useAddress } from '../ui/use-address.ts';
import { type Picked, wishedFormats } from './left-out.ts';

/** The choice for people who never exported: the benchmark's own form. */
const FIRST_FORMAT = 'videogui';

/** `version`: null is the data set as it is now. The rest are the boxes below it. */
type Scope = { version: string | null; all: boolean; every: boolean; proven: boolean };

/** What is to be exported and in which of these formats, and the dialogs on archives. The page's address has it all. */
export function useExportChoice(ws: string, formats: readonly ExportFormat[]) {
  const { filter, setFilter } = useDatasetView(ws);
  const [scope, setScope] = useState<Scope>({ version: null, all: false, every: false, proven: false });
  const [chosen, setChosen] = useState<Picked | null>(null);
  /** The formats of the address, which may be there before the list of formats is. */
  const [named, setNamed] = useState<readonly string[]>([]);
  const [dialog, setDialog] = useState<'make' | 'take' | null>(null);
  const [sharing, setSharing] = useState<string | null>(null);

  const { version, all, every, proven } = scope;
  const picked = chosen ?? pickedAtFirst(formats, named);
  useAddress(
    {
      ...partsOfFilter(filter),
      version,
      formats: listPart(chosen === null ? named : Object.keys(chosen)),
      unapproved: all ? 'yes' : null,
      every: every ? 'yes' : null,
      proven: proven ? 'yes' : null,
      share: dialog === 'make' ? (sharing ?? '') : null,
    },
    (parts) => {
      setFilter(filterOfParts(parts));
      setChosen(null);
      setNamed(valuesOfPart(parts.formats ?? '').filter((name) => name !== null));
      setScope({
        version: parts.version ?? null,
        all: parts.unapproved === 'yes',
        every: parts.every === 'yes',
        proven: parts.proven === 'yes',
      });
      if (parts.share !== null && parts.share !== undefined) share(parts.share === '' ? null : parts.share);
    },
  );

  function share(what: string | null): void {
    setSharing(what);
    setDialog('make');
  }

  const source: DatasetSource = version === null ? { kind: 'filter', filter } : { kind: 'version', name: version };
  const wishes: ExportWishes = {
    formats: wishedFormats(picked, formats),
    source,
    all,
    ...(every && { recordings: 'every' }),
    ...(proven && { proof: ['proven'] }),
  };
  return {
    filter,
    scope,
    changeScope: (part: Partial<Scope>) => setScope((now) => ({ ...now, ...part })),
    picked,
    pick: setChosen,
    wishes,
    dialog,
    /** The version that the dialog makes an archive of; null: the data set as it is now. */
    sharing,
    share: () => share(version),
    openDialog: setDialog,
  };
}

/** The named formats, else the first choice, each with what it writes by default. */
function pickedAtFirst(formats: readonly ExportFormat[], named: readonly string[]): Picked {
  const known = formats.filter(({ name }) => named.includes(name));
  const first = formats.find(({ name }) => name === FIRST_FORMAT) ?? formats[0];
  const picked = known.length > 0 ? known : first ? [first] : [];
  return Object.fromEntries(picked.map((format) => [format.name, defaultsOf(format)]));
}

function defaultsOf(format: ExportFormat): Picked[string] {
  return {
    parts: format.defaultParts,
    options: Object.fromEntries(format.options.map((option) => [option.name, option.default])),
  };
}
