/** The commands whose code loads when one of them first runs. */
export const commandIds = [
  'captious.audit',
  'captious.checkBenchmark',
  'captious.auditSamples',
  'captious.runExperiment',
  'captious.openExperiment',
  'captious.rescore',
  'captious.showResults',
  'captious.chooseImages',
  'captious.openPanel',
  'captious.rerun',
  'captious.resume',
  'captious.cancel',
  'captious.delete',
  'captious.reveal',
  'captious.compare',
  'captious.export',
  'captious.exportForPaper',
  'captious.setKey',
  'captious.openSample',
  'captious.openWalkthrough',
  'captious.openReport',
  'captious.openReportAsText',
  'captious.newEvaluator',
  'captious.addEvaluator',
  'captious.newTriplets',
  'captious.newPreferences',
  'captious.showLog',
  'captious.openSettings',
  'captious.newPythonEvaluator',
  'captious.selectPython',
  'captious.tryPythonEvaluator',
] as const;

export type CommandId = (typeof commandIds)[number];

export type Run = (...args: unknown[]) => unknown;

export type Add = (id: CommandId, run: Run) => void;
