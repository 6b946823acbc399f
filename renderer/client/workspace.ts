import { create } from 'zustand';

/** The workspace that was open last in this tab, for pages that belong to none (the settings). */
export const useLastWorkspace = create<{ ws: string | null }>(() => ({ ws: null }));
