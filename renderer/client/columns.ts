import { create } from 'zustand';
import type { ViewedList } from './saved-views.ts';
import { type PageSettings, useChangeSettings, useSettings } from './settings.ts';

/** Each person's own in each workspace, as the saved views are. */
const keyOf = (ws: string, list: ViewedList, person: string | null): string => `columns:${list}:${ws}:${person ?? ''}`;

/** The columns that the settings keep for a list, as they are written; null: those at first. */
export function columnsSetting(
  settings: PageSettings,
  ws: string,
  list: ViewedList,
  person: string | null,
): string | null {
  const kept = settings[keyOf(ws, list, person)];
  return typeof kept === 'string' ? kept : null;
}

/** What was chosen in this tab, by the settings' key: it holds before the settings have come, and when they cannot be written. */
const useChosenHere = create<Readonly<Record<string, string | null>>>(() => ({}));

/** The columns of a list as they were chosen last, and what chooses others: for this tab at once, then in the studio. */
export function useColumnChoice(
  ws: string,
  list: ViewedList,
  person: string | null,
): { part: string | null; choose: (part: string | null) => Promise<void> } {
  const key = keyOf(ws, list, person);
  const here = useChosenHere((chosen) => chosen[key]);
  const store = useChangeSettings();
  const kept = columnsSetting(useSettings(), ws, list, person);
  return {
    part: here === undefined ? kept : here,
    choose: async (part) => {
      useChosenHere.setState({ [key]: part });
      if (part !== kept) await store({ [key]: part });
    },
  };
}
