import type { Recording } from '../../schemas/recording.ts';

/** Warnings about the limits of a recording whose pictures come through the system's own question (Wayland). */
type Warnings = Recording['warnings'];

/** Known before anything is recorded. */
export const OUTSIDE_WARNINGS: Readonly<Warnings> = [
  {
    code: 'wayland-input',
    message:
      'Recorded in a Wayland session: only keys, clicks and pointer moves in programs that run under X11 (XWayland) were heard. What was done in other programs is in the pictures but not among the actions.',
  },
  {
    code: 'wayland-windows',
    message:
      'Only windows of X11 programs are known: other programs are missing from the active windows, and were not left out of the pictures by their names.',
  },
  {
    code: 'wayland-pictures',
    message:
      'The pictures come from the desktop by the system’s screen sharing: their times are those at which it handed them over, which may be later than the change on the screen.',
  },
];

/** Known once the pictures have come. */
export function pictureWarnings({ cursor, lossless }: { cursor: boolean | null; lossless: boolean }): Warnings {
  const warnings: Warnings = [];
  if (!lossless) {
    const message =
      'The system’s screen sharing halves the resolution of colours and rounds them, so pictures are not the screen’s pixels exactly.';
    warnings.push({ code: 'colours-rounded', message });
  }
  if (cursor !== false) {
    const message =
      cursor === null
        ? 'The system does not say whether it drew the pointer into the pictures: look at them before they serve as screenshots without it.'
        : 'The system drew the pointer into the pictures, so a screenshot may give the target of a click away.';
    warnings.push({ code: 'pointer-in-pictures', message });
  }
  return warnings;
}
