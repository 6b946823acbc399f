/** More pages are not read. */
const MOST_PAGES = 2000;

/** The text of each page of a PDF. Its scripts and forms are not run. Rejects with an Error whose message is a part of a sentence. */
export async function readPdf(bytes: Buffer): Promise<string[]> {
  if (bytes.subarray(0, 1024).indexOf('%PDF-') < 0) throw new Error('it is no PDF');
  const { extractText, getDocumentProxy } = await import('unpdf');
  const pdf = await getDocumentProxy(new Uint8Array(bytes), {
    enableXfa: false,
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: 0,
  });
  try {
    if (pdf.numPages > MOST_PAGES) throw new Error(`it has more than ${MOST_PAGES} pages`);
    const { text } = await extractText(pdf, { mergePages: false });
    return text;
  } finally {
    await pdf.loadingTask.destroy();
  }
}
