import { say } from '../../base/say';
import { EditorChat, type EditorModels, editorScheme, outsideEditor } from './editorModels';
import type { Evaluator } from '../evaluator';
import { createJudge, judgeSha256, type JudgeSpec } from './judge';
import { JudgeMemory } from './judgeMemory';
import { defaultRubric } from './judgePrompt';
import { consentName } from './scorer';

export interface EditorJudgeOptions {
  /** The model's id or family. */
  model: string;
  rubric?: string;
  concurrency?: number;
  deadlineMs?: number;
  side?: number;
  format?: 'png' | 'jpeg';
}

/** Opens a judge on a VS Code language model. Prompts, test and consent are those of other judges. */
export async function openEditorJudge(
  options: EditorJudgeOptions,
  {
    id,
    name,
    path,
    home,
    editor,
  }: { id: string; name: string; path?: string; home: string; editor?: EditorModels },
): Promise<Evaluator> {
  if (editor === undefined) throw outsideEditor(options.model);
  const model = await editor.find(options.model);
  const { vendor, family, version } = model;
  const spec: JudgeSpec = {
    kind: 'judge',
    id,
    name: name === id ? `${model.name} (${vendor})` : name,
    ...(path === undefined ? {} : { path }),
    endpoint: `${editorScheme} (${vendor})`,
    model: model.id,
    rubric: options.rubric ?? defaultRubric,
    side: options.side ?? 768,
    format: options.format ?? 'png',
    concurrency: options.concurrency ?? 4,
    settings: [family, version],
    notes: [
      ...(options.rubric === undefined ? [] : [say('judge.rubricFromFile')]),
      say('judge.editorModelUsed', model.id, vendor, family, version),
    ],
  };
  const memory = new JudgeMemory(home);
  return createJudge(spec, new EditorChat(editor, { model, deadlineMs: options.deadlineMs ?? 120_000 }), {
    memory,
    consented: await memory.consented(consentName(spec)),
    ...(await memory.of(judgeSha256(spec))),
  });
}
