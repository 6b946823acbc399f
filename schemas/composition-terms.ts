/** What pages need of compositions without their schemas. */

export const COMPOSITION_SCHEMA = 'trajectory-studio/composition';
/**
 * 2 added events, 3 that an exported file holds its verification, 4 that given values vary and instances say where they come from,
 * and stages that members name, 5 files that go over from one member to another, 6 folders that do. All are read; what has none of
 * it is written as 1, and what is not exported never as 3, so that older programs read it.
 */
export const COMPOSITION_VERSION = 6;
export const VERSION_WITH_TAKEN_FILES = 5;
export const VERSION_WITH_TEMPLATES = 4;
export const VERSION_WITH_VERIFICATION = 3;
export const VERSION_WITH_EVENTS = 2;
export const VERSION_WITHOUT_EVENTS = 1;

/** A name that texts can hold: `{{meeting.time}}`. */
export const SLOT_NAME = /^[a-z][a-z0-9_]{0,39}$/;
/** The platform of a stage that names none: the one that this program sets stages up for. */
export const STAGE_PLATFORM = 'Linux';
export const COMPOSITION_ID = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/;
/** A time of a day of the scenario. */
export const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** The stages in which people verify a composition (naturalgaia.txt D.2), each by others. */
export const VERIFICATION_STAGES = ['design', 'independent', 'blind'] as const;
export type VerificationStage = (typeof VERIFICATION_STAGES)[number];
/** So many people do it. */
export const STAGE_PLACES: Readonly<Record<VerificationStage, number>> = { design: 1, independent: 2, blind: 1 };
/** Where a composition stands in lists. */
export const VERIFICATION_STATES = ['none', 'begun', 'verified', 'outOfDate'] as const;
export type VerificationState = (typeof VERIFICATION_STATES)[number];
