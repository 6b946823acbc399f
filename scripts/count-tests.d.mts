type VitestReport = { testResults: { status: string; assertionResults: { status: string }[] }[] };
type Counts = { passed: number; failed: number };
type Durations = { files: { file: string; project: string; ms: number }[]; projects: { name: string; ms: number }[] };
export function countTests(report: VitestReport | null, status: number | null): Counts;
export function sumCounts(counts: readonly Counts[]): Counts;
export function durationLines(durations: Durations, most?: number): string[];

export function failureLines(report: unknown, root?: string, errors?: readonly string[]): string[];
