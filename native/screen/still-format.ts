/**
 * How stills are encoded, while recording and after, so that both give the same file. Cheap: a full HD screenshot takes
 * a third of the time of level 6 and is a third larger.
 */
export const STILL_PNG = { compressionLevel: 3, adaptiveFiltering: false } as const;
