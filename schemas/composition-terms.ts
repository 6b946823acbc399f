/** What pages need of compositions without their schemas. */

export const COMPOSITION_SCHEMA = 'trajectory-studio/composition';
export const COMPOSITION_VERSION = 1;

/** A name that texts can hold: `{{meeting.time}}`. */
export const SLOT_NAME = /^[a-z][a-z0-9_]{0,39}$/;
export const COMPOSITION_ID = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/;
/** A time of a day of the scenario. */
export const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
