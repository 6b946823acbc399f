import { makeStageFolder, type StageState, thisProcess } from './home.ts';

/** A stage of this process that has a folder and nothing else. */
export const bareStage = (wishes: Partial<Omit<StageState, 'id' | 'display' | 'env'>> = {}): StageState =>
  makeStageFolder({ width: 9, height: 9, task: null, workspace: null, owner: thisProcess(), ...wishes });
