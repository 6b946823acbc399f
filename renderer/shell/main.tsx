import { loadLanguage } from '../language/languages.ts';

// Texts that stand in constants are made once: the language comes before every other module.
await loadLanguage();
await import('./start.tsx');
