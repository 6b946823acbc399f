/** Folders of a recording: its stills with the list of them, files that people gave, and what can be made again. */
export const KEYFRAMES_FOLDER = 'keyframes';
export const ATTACHMENTS_FOLDER = 'attachments';
export const DERIVED_FOLDER = 'derived';
