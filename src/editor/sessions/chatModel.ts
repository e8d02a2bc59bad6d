import * as vscode from 'vscode';
import { CaptiousError, usageError, wordsOf } from '../../base/errors';
import { say } from '../../base/say';
import type { Candidate } from '../../protocol/triplets';
import { positivesByChat } from '../../mining/chat';
import { pick, unlessCancelled } from '../notify';

/** Asks a chat model for captions with the same meaning. Returns undefined if the user cancels. */
export async function askChatModel(caption: string): Promise<Candidate[] | undefined> {
  const model = await chooseModel();
  if (model === undefined) return undefined;
  const title = vscode.l10n.t('{0} is writing captions with the same meaning…', model.name);
  return unlessCancelled(title, async (_signal, _report, token) => {
    try {
      return await positivesByChat(caption, model.name, async (prompt) => {
        const question = [vscode.LanguageModelChatMessage.User(prompt)];
        const answer = await model.sendRequest(question, { modelOptions: { temperature: 0 } }, token);
        let text = '';
        for await (const piece of answer.text) text += piece;
        return text;
      });
    } catch (cause) {
      if (!(cause instanceof vscode.LanguageModelError)) throw cause;
      const silent = say('editor.chatModelSilent', model.name, wordsOf(cause));
      throw new CaptiousError('evaluator', silent, { cause });
    }
  });
}

async function chooseModel(): Promise<vscode.LanguageModelChat | undefined> {
  const models = await vscode.lm.selectChatModels();
  if (models.length === 0)
    throw usageError(
      vscode.l10n.t('This editor has no chat model.'),
      vscode.l10n.t('Install an extension that provides one, or write the second positive yourself.'),
    );
  if (models.length === 1) return models[0];
  const chosen = await pick(
    models.map((model) => ({ label: model.name, description: model.vendor, model })),
    { title: vscode.l10n.t('Select a chat model') },
  );
  return chosen?.model;
}
