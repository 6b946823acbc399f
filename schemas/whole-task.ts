/** The parts of a task's state (schemas/api/task-state.ts), in their order; apart from it, since pages load this without its checks. */
export const WHOLE_TASK_PARTS = ['complete', 'sound', 'proven'] as const;
