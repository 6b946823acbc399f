type VitestReport = { testResults: { status: string; assertionResults: { status: string }[] }[] };
export function countTests(report: VitestReport, status: number | null): { passed: number; failed: number };
