/**
 * Names that Windows gives to devices, with any ending and with blanks before it: no file can be called so there. Its digits
 * are also those that are written small and high.
 */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?= {0,9}(?:\.|$))/i;

export const isDeviceName = (name: string): boolean => DEVICE.test(name);

/** A name that every system can keep, for one that was chosen before device names were refused. */
export const withoutDeviceName = (name: string): string => name.replace(DEVICE, '$1_');

export const notADevice = (name: string): boolean => !isDeviceName(name);
export const DEVICE_MESSAGE = 'Windows keeps that name for a device, so that no file there can be called so';
