/** What pages need of checks' schema without its library. */

/** 2 added the kind `setting`; files of version 1 are read as they are. */
export const CHECKS_VERSION = 2;

/** Neither can be taken for an option or a word more of a command. */
export const SETTING_SCHEMA = /^[A-Za-z][\w-]*(?:\.[\w-]+)*(?::\/(?:[\w.-]+\/)*)?$/;
export const SETTING_KEY = /^[A-Za-z][\w-]*$/;
