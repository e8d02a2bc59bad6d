// A language model that grades each caption by its length, and records its requests.
// eslint-disable-next-line @typescript-eslint/no-require-imports -- it runs as it is, without a build
const vscode = require('vscode');

/** The texts, images and options of every request to the models. */
const asked = [];

function captionIn(text) {
  const [, fence] = /lines that read (caption-\w+)/.exec(text);
  const from = text.indexOf(`\n${fence}\n`) + fence.length + 2;
  return text.slice(from, text.lastIndexOf(`\n${fence}`));
}

function answer(messages, extension, options, report) {
  const parts = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [{ value: content }] : content,
  );
  const texts = parts.filter(({ value }) => typeof value === 'string').map(({ value }) => value);
  const pictures = parts
    .filter(({ data }) => data)
    .map(({ mimeType, data }) => [mimeType, data.length, data[1]]);
  asked.push({ extension, texts, pictures, options: options.modelOptions });
  const score = Math.min(10, captionIn(texts.at(-1)).length / 10);
  report(new vscode.LanguageModelTextPart(`{"score": ${score}}`));
}

const vendor = 'captious-test';
const length = {
  name: 'Length',
  family: 'length',
  version: '1',
  maxInputTokens: 9999,
  maxOutputTokens: 99,
};
const blind = { ...length, name: 'Blind', family: 'blind' };
const provideTokenCount = async () => 1;

/** Registers the models with the API of VS Code 1.104 and later. */
function registerProvider() {
  return vscode.lm.registerLanguageModelChatProvider(vendor, {
    provideLanguageModelChatInformation: () => [
      { ...length, id: 'length-1', capabilities: { imageInput: true } },
      { ...blind, id: 'blind-1', capabilities: {} },
    ],
    async provideLanguageModelChatResponse(model, messages, options, progress) {
      answer(messages, options.requestInitiator, options, (part) => progress.report(part));
    },
    provideTokenCount,
  });
}

/** Registers the models with the proposed API of earlier versions. */
function registerModels() {
  const provider = {
    async provideLanguageModelResponse(messages, options, extension, progress) {
      answer(messages, extension, options, (part) => progress.report({ index: 0, part }));
    },
    provideTokenCount,
  };
  const register = (id, said) => vscode.lm.registerChatModelProvider(id, provider, { ...said, vendor });
  return vscode.Disposable.from(
    register('length-1', { ...length, capabilities: { vision: true } }),
    register('blind-1', blind),
  );
}

exports.activate = (context) => {
  const isOfToday = vscode.lm.registerLanguageModelChatProvider !== undefined;
  context.subscriptions.push(isOfToday ? registerProvider() : registerModels());
  return { asked };
};
