import electron from 'electron';
import type { HostApi } from './api.ts';

/** Electron itself. That this line compiles is the check that api.ts says nothing that Electron does not have. */
export const real: HostApi = electron;
