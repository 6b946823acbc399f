type Target = { target: string; arch: string[] };
export const ROOT: string;
export const BUILD: string;
/** electron-builder's configuration; its own schema checks the whole of it. */
export const config: {
  electronFuses: Record<string, boolean>;
  asar: boolean;
  publish: null;
  win: { target: Target[]; icon: string };
  mac: { target: Target[]; icon: string; extendInfo: Record<string, string> };
  linux: { target: Target[]; icon: string };
};
