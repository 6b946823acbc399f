/** The Simplified Chinese texts by their English, a file for each folder of the pages. */
export default import.meta.glob<Record<string, string>>('./*.json', { eager: true, import: 'default' });
