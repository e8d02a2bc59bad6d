import * as vscode from 'vscode';
import { CaptiousError, evaluatorError, messageOf, usageError } from '../base/errors';
import { type EditorModel, editorScheme } from '../evaluator/judge/editorModels';
import type { EvaluatorEntry } from '../protocol/service';
import type { AnswerOf } from '../base/calls';
import type { ChatAsk, hostRequests } from '../protocol/hostCalls';

/** Parts of VS Code's API that the oldest supported version lacks. */
interface Later {
  LanguageModelDataPart?: { image(data: Uint8Array, mime: string): vscode.LanguageModelTextPart };
}
interface LaterModel {
  capabilities?: { supportsImageToText?: boolean };
}

function dataPart(): Later['LanguageModelDataPart'] {
  const later: typeof vscode & Later = vscode;
  return later.LanguageModelDataPart;
}

function seesImages(model: vscode.LanguageModelChat & LaterModel): boolean {
  return model.capabilities?.supportsImageToText !== false;
}

/** The editor's language models as evaluators. Models that are known to accept no images are excluded. */
export async function languageModelEntries(): Promise<EvaluatorEntry[]> {
  if (dataPart() === undefined) return [];
  const models = await vscode.lm.selectChatModels();
  return models.filter(seesImages).map((model) => ({
    id: `${editorScheme}:${model.id}`,
    name: `${model.name} (${model.vendor})`,
    kind: 'judge',
    readsImages: true,
    abilities: ['image-text'],
  }));
}

export async function modelNamed(name: string): Promise<EditorModel> {
  const { id, vendor, family, version, name: shown } = await find(name);
  return { id, vendor, family, version, name: shown };
}

async function find(name: string): Promise<vscode.LanguageModelChat> {
  if (dataPart() === undefined)
    throw evaluatorError(
      vscode.l10n.t('This version of the editor cannot send images to language models.'),
      vscode.l10n.t('Update the editor, or add a model server with "Captious: New Evaluator…".'),
    );
  const models = await vscode.lm.selectChatModels();
  const named = models.filter(({ id }) => id === name);
  const found = named.length > 0 ? named : models.filter(({ family }) => family === name);
  if (found.length !== 1) {
    const ids = (found.length > 1 ? found : models).map(({ id }) => `${editorScheme}:${id}`).join(', ');
    throw usageError(
      found.length > 1
        ? vscode.l10n.t('More than one language model is called {0}.', name)
        : vscode.l10n.t('This editor has no language model {0}.', name),
      ids === ''
        ? vscode.l10n.t('Install an extension that provides it, and sign in if the extension asks you to.')
        : vscode.l10n.t('Use one of: {0}.', ids),
    );
  }
  const [model] = found;
  if (seesImages(model)) return model;
  throw evaluatorError(
    vscode.l10n.t('{0} does not accept images.', model.name),
    vscode.l10n.t('Choose a language model that accepts images.'),
  );
}

/** Sends one question to a language model. Returns the answer, or the reason why the model did not answer. */
export async function askModel(
  { model: id, orders, text, image: sent }: ChatAsk,
  token: vscode.CancellationToken,
): Promise<AnswerOf<typeof hostRequests, 'chat'>> {
  const model = await find(id);
  const image = dataPart()!.image(sent.bytes, sent.mime);
  // The API has no system role, so the first user message contains the instructions.
  const messages = [
    vscode.LanguageModelChatMessage.User(orders),
    vscode.LanguageModelChatMessage.User([image, new vscode.LanguageModelTextPart(text)]),
  ];
  try {
    const options = {
      justification: vscode.l10n.t('To rate how well captions describe their images.'),
      modelOptions: { temperature: 0 },
    };
    const answer = await model.sendRequest(messages, options, token);
    let said = '';
    for await (const piece of answer.text) said += piece;
    return { type: 'said', text: said };
  } catch (cause) {
    const code = cause instanceof vscode.LanguageModelError ? cause.code : '';
    if (code === vscode.LanguageModelError.NoPermissions.name)
      throw new CaptiousError('usage', vscode.l10n.t('Captious has no permission to use {0}.', model.name), {
        remedy: vscode.l10n.t('Allow access when the editor asks, or under "Manage Language Model Access".'),
        cause,
      });
    return {
      type: 'unanswered',
      trouble: messageOf(cause),
      blocked: code === vscode.LanguageModelError.Blocked.name,
    };
  }
}
