import { create } from 'zustand';

/** Files that came from outside the page (dropped, opened with the app), until a page takes them. */
type Arrivals = {
  /** A recording to be imported: its folder or archive. */
  importPath: string | null;
  /** Said for a moment: why something was not taken, or what is to be done first. */
  notice: string | null;
};

export const useArrivals = create<Arrivals>(() => ({ importPath: null, notice: null }));

/** Takes the recording that waits to be imported; null when there is none. */
export function takeImport(): string | null {
  const { importPath } = useArrivals.getState();
  if (importPath !== null) useArrivals.setState({ importPath: null, notice: null });
  return importPath;
}
