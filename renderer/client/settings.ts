import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from './api.ts';

/** The user's own settings of this machine, JSON by key; read with `settingOf`. */
export type PageSettings = Readonly<Record<string, unknown>>;

export const settingsQuery = {
  queryKey: ['settings'],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<PageSettings> => client.settings.get(undefined, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
} as const;

/** The settings, empty until they have come. */
export function useSettings(): PageSettings {
  return useQuery(settingsQuery).data ?? {};
}

/** The key of the changes to settings that are under way. */
export const CHANGE_SETTINGS = ['settings', 'change'] as const;

/**
 * Changes settings at once on the page, then in the studio; a failure puts them back and is thrown. Null removes one. Changes
 * are sent one after another: one that overtook the change before it would be undone by it.
 */
export function useChangeSettings(): (values: PageSettings) => Promise<void> {
  const queries = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationKey: CHANGE_SETTINGS,
    scope: { id: 'settings' },
    mutationFn: (values: PageSettings) => client.settings.set({ values }),
    onMutate: (values) => {
      const shown = queries.getQueryData<PageSettings>(settingsQuery.queryKey) ?? {};
      queries.setQueryData<PageSettings>(settingsQuery.queryKey, { ...shown, ...values });
      return Object.fromEntries(Object.keys(values).map((key) => [key, shown[key]]));
    },
    onError: (_error, _values, before) =>
      queries.setQueryData<PageSettings>(settingsQuery.queryKey, (shown) => ({ ...shown, ...before })),
    onSuccess: (stored) => {
      // What still waits to be sent is shown already, and not among what the studio answers here.
      const last = queries.isMutating({ mutationKey: CHANGE_SETTINGS }) === 1;
      if (last) queries.setQueryData(settingsQuery.queryKey, stored);
    },
  });
  return async (values) => void (await mutateAsync(values));
}

/** A yes-or-no setting. */
export function booleanSetting(settings: PageSettings, key: string, fallback: boolean): boolean {
  const value = settings[key];
  return typeof value === 'boolean' ? value : fallback;
}

/** A text setting that is one of these. */
export function choiceSetting<T extends string>(
  settings: PageSettings,
  key: string,
  choices: readonly T[],
  fallback: T,
): T {
  return choices.find((choice) => choice === settings[key]) ?? fallback;
}

/** The keys the user chose, by command id. Entries of another shape are left out. */
export function keysSetting(settings: PageSettings): Record<string, string[]> {
  const value = settings.keys;
  if (typeof value !== 'object' || value === null) return {};
  const keys: Record<string, string[]> = {};
  for (const [id, list] of Object.entries(value))
    if (Array.isArray(list) && list.every((one) => typeof one === 'string')) keys[id] = list;
  return keys;
}

/** Texts by name (the recorder's shortcuts). */
export function textsSetting(settings: PageSettings, key: string): Record<string, string> {
  const value = settings[key];
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
