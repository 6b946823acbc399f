/** A decoded picture: RGB, 3 bytes a pixel, rows without padding. */
export type RgbImage = { width: number; height: number; rgb: Uint8Array };
